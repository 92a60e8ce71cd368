"""relay.py: stands between a suite and a server, and counts the commands that pass.

Prints the port that it listens on, reads the server's port from its first line of input, and passes on what comes until its input
ends. Then it prints what it counted, as JSON: {command: {"count", "fields": {name: count}, "answers": {"ok" or code: count}}}.
"""

import asyncio
import collections
import json
import struct
import sys
import zlib

import bson
from bson.codec_options import CodecOptions
from bson.raw_bson import RawBSONDocument

OPTIONS = CodecOptions(document_class=RawBSONDocument)
OP_QUERY, OP_COMPRESSED, OP_MSG = 2004, 2012, 2013
ZLIB, NOOP = 2, 0
SPELLINGS = {"ismaster": "isMaster", "buildinfo": "buildInfo", "findandmodify": "findAndModify"}


class Counts:
    def __init__(self):
        self.commands = {}

    def of(self, name):
        return self.commands.setdefault(
            name, {"count": 0, "fields": collections.Counter(), "stages": collections.Counter(),
                   "answers": collections.Counter()})

    def request(self, body, sequences):
        """-> the command's name"""
        names = list(body)
        name = SPELLINGS.get(names[0], names[0])
        counts = self.of(name)
        counts["count"] += 1
        counts["fields"].update(set(names[1:]) | set(sequences))
        for stage in body.get("pipeline", []) if isinstance(body.get("pipeline", []), list) else []:
            if hasattr(stage, "keys"):
                counts["stages"].update(list(stage.keys())[:1])
        return name

    def answer(self, name, reply):
        self.of(name)["answers"]["ok" if reply.get("ok") == 1 else str(reply.get("code", "no code"))] += 1


def plain(opcode, payload):
    """What an OP_COMPRESSED message carries; (None, None): by a compressor that is not read here."""
    if opcode != OP_COMPRESSED:
        return opcode, payload
    opcode, _, compressor = struct.unpack_from("<iib", payload)
    if compressor == NOOP:
        return opcode, payload[9:]
    return (opcode, zlib.decompress(payload[9:])) if compressor == ZLIB else (None, None)


def sections(payload):
    """-> (body, names of document sequences) of an OP_MSG."""
    flags, = struct.unpack_from("<I", payload)
    end = len(payload) - (4 if flags & 1 else 0)
    body, sequences, at = None, [], 4
    while at < end:
        kind, size = payload[at], struct.unpack_from("<i", payload, at + 1)[0]
        if kind == 0:
            body = RawBSONDocument(payload[at + 1:at + 1 + size], OPTIONS)
        else:
            sequences.append(payload[at + 5:payload.index(b"\0", at + 5)].decode())
        at += 1 + size
    return body, sequences


def read_request(opcode, payload):
    opcode, payload = plain(opcode, payload)
    if opcode == OP_MSG:
        return sections(payload)
    if opcode == OP_QUERY:
        at = payload.index(b"\0", 4) + 9
        size, = struct.unpack_from("<i", payload, at)
        return RawBSONDocument(payload[at:at + size], OPTIONS), []
    return None, []


async def messages(reader):
    while True:
        header = await reader.readexactly(16)
        size, request_id, response_to, opcode = struct.unpack("<iiii", header)
        yield header + (payload := await reader.readexactly(size - 16)), request_id, response_to, opcode, payload


async def pass_on(reader, writer, look):
    try:
        async for message, request_id, response_to, opcode, payload in messages(reader):
            look(request_id, response_to, opcode, payload)
            writer.write(message)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


def serve_client(counts, server_port):
    async def serve(reader, writer):
        waiting = {}  # request id → command

        def see_request(request_id, _, opcode, payload):
            body, sequences = read_request(opcode, payload)
            if body is not None:
                waiting[request_id] = counts.request(body, sequences)

        def see_reply(_, response_to, opcode, payload):
            name = waiting.pop(response_to, None)
            opcode, payload = plain(opcode, payload)
            if name is not None and opcode == OP_MSG:
                counts.answer(name, sections(payload)[0])

        try:
            from_server, to_server = await asyncio.open_connection("127.0.0.1", server_port)
        except ConnectionError:
            writer.close()
            return
        await asyncio.gather(pass_on(reader, to_server, see_request), pass_on(from_server, writer, see_reply))

    return serve


async def main():
    counts = Counts()
    server_port = asyncio.get_running_loop().create_future()

    async def wait_for_port(reader, writer):
        await serve_client(counts, await server_port)(reader, writer)

    server = await asyncio.start_server(wait_for_port, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    server_port.set_result(int(await lines.readline()))
    await lines.read()
    print(json.dumps(counts.commands), flush=True)


asyncio.run(main())
