"""Resume tokens, decoded independently of the product."""
import struct


class TokenError(Exception):
    pass


class TokenReader:
    """Reads the KeyString bytes of a resume token: a sequence of typed, self-delimiting values."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        if self.at + n > len(self.data):
            raise TokenError("token ends early")
        self.at += n
        return self.data[self.at - n:self.at]

    def peek(self):
        return self.data[self.at] if self.at < len(self.data) else None

    def text(self):
        """Bytes up to 00; an embedded NUL is written 00 FF."""
        out = bytearray()
        while True:
            b = self.take(1)[0]
            if b:
                out.append(b)
            elif self.peek() == 0xFF:
                self.take(1)
                out.append(0)
            else:
                return out.decode("utf-8")

    def value(self):
        tag = self.take(1)[0]
        if tag == 0x0A: return {"$minKey": 1}
        if tag == 0x14: return None
        if tag in (0x1E, 0x28, 0x29) or 0x1F <= tag <= 0x33: return self.number(tag)
        if tag == 0x3C: return self.text()
        if tag == 0x41: return {"$symbol": self.text()}
        if tag == 0x46: return self.object()
        if tag == 0x50: return self.array()
        if tag == 0x5A:
            n = self.take(1)[0]
            if n == 0xFF:
                n = struct.unpack(">I", self.take(4))[0]
            subtype = self.take(1)[0]
            return {"$binary": {"subType": "%02x" % subtype, "hex": self.take(n).hex()}}
        if tag == 0x64: return {"$oid": self.take(12).hex()}
        if tag == 0x6E: return False
        if tag == 0x6F: return True
        if tag == 0x78:
            ms = struct.unpack(">Q", self.take(8))[0] ^ (1 << 63)
            return {"$date": ms - (1 << 64) if ms >= 1 << 63 else ms}
        if tag == 0x82:
            t, i = struct.unpack(">II", self.take(8))
            return {"$timestamp": {"t": t, "i": i}}
        if tag == 0x8C: return {"$regularExpression": {"pattern": self.text(), "options": self.text()}}
        if tag == 0xA0: return {"$code": self.text()}
        if tag == 0xAA: return {"$code": self.text(), "$scope": self.object()}
        if tag == 0xF0: return {"$maxKey": 1}
        raise TokenError("unknown type byte %02x at %d" % (tag, self.at - 1))

    def object(self):
        """(type byte, name 00, value)* 00 ; the type byte before each name repeats the value's type."""
        out = {}
        while self.peek() != 0:
            self.take(1)
            name = self.text()
            out[name] = self.value()
        self.take(1)
        return out

    def array(self):
        out = []
        while self.peek() != 0:
            out.append(self.value())
        self.take(1)
        return out

    def number(self, tag):
        """29 zero; 2B..32 positive and 27..20 negative integers of 1..8 bytes, doubled, the lowest bit saying
        'a fraction follows'; 33/1F magnitudes from 2^63; 2A/28 magnitudes below 1.  The bytes after the tag
        are inverted for negative numbers.  Text is returned: the number's type is not in these bytes
        (it is in `_typeBits`)."""
        if tag == 0x29: return "0"
        if tag == 0x1E: return "NaN"
        negative = tag < 0x29
        sign = "-" if negative else ""
        def raw(n):
            b = self.take(n)
            return int.from_bytes(bytes(x ^ 0xFF for x in b) if negative else b, "big")
        def double(bits):
            return struct.unpack(">d", struct.pack(">Q", bits))[0]
        def decimal_tail(number):                     # 8 more bytes that only a Decimal128 needs
            raw(8)
            return "%s~%r" % (sign, number)
        if tag in (0x1F, 0x33):                       # binary64 shifted left by one, top bit dropped
            v = raw(8)
            if v == (1 << 64) - 1: return sign + "Infinity"
            if v >> 63:
                raw(8)
                return sign + "~decimal"
            number = double((v | 1 << 63) >> 1)
            return decimal_tail(number) if v & 1 else sign + repr(number)
        if tag in (0x28, 0x2A):
            v = raw(8)
            if v >> 62 == 3:                          # binary64 shifted left by two
                number, more = double(v >> 2), v & 3
            elif v >> 62 == 1:                        # binary64 of number * 2^256, shifted left by one
                number, more = double((v & (1 << 62) - 1) >> 1) / 2.0 ** 256, v & 1
            else:
                raw(8)
                return sign + "~decimal"
        else:
            size = 0x28 - tag if negative else tag - 0x2A
            v = raw(size)
            whole, fraction = v >> 1, v & 1
            if not fraction: return sign + str(whole)
            n = 8 - size                              # bytes of fraction
            f = raw(n) if n else 0
            number, more = whole + (f & ~3) / 256.0 ** n, f & 3
        if more in (1, 3): return decimal_tail(number)
        return sign + ("%.15g" % number if more == 2 else repr(number))


def decode_token(hex_data):
    """Resume token string -> dict.  Raises TokenError when it is none."""
    try:
        r = TokenReader(bytes.fromhex(hex_data))
        out = {"clusterTime": r.value(), "version": int(r.value())}
        if out["version"] >= 1:
            out["tokenType"] = int(r.value())
        out["txnOpIndex"] = int(r.value())
        out["fromInvalidate"] = r.value()
        if r.peek() != 0x04:
            out["uuid"] = r.value()
            if r.peek() != 0x04:
                out["eventIdentifier" if out["version"] >= 2 else "documentKey"] = r.value()
                if r.peek() != 0x04 and out["version"] >= 2:
                    out["fragmentNum"] = int(r.value())
        if r.take(1) != b"\x04":
            raise TokenError("no end byte")
        if r.at != len(r.data):
            out["trailing"] = r.data[r.at:].hex()
        return out
    except (ValueError, TypeError, UnicodeDecodeError) as e:
        raise TokenError(str(e))
