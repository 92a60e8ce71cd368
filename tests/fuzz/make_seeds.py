#!/usr/bin/env python3
"""make_seeds.py CONVERSATION.jsonl…: writes tests/fuzz/seeds/ from recorded conversations (one message a line, `from`, `hex`).

For message_fuzz a file a message of each command; for engine_fuzz a file a conversation: a byte for the size of the pieces,
then everything that one connection's client sent.
"""

import json
import pathlib
import sys

SEEDS = pathlib.Path(__file__).resolve().parent / "seeds"
ENGINE_BYTES_MAX = 20_000


def main():
    messages, conversations = {}, {}
    for path in map(pathlib.Path, sys.argv[1:]):
        for line in path.read_text(encoding="utf-8").splitlines():
            message = json.loads(line)
            if message.get("from") != "client" or "hex" not in message:
                continue
            raw = bytes.fromhex(message["hex"])
            conversations.setdefault((path.stem, message["connection"]), []).append(raw)
            body = (message.get("sections") or [{}])[0].get("body", {})
            name = next(iter(body), f"opcode{message['opCode']}")
            messages.setdefault(name, raw)
    for folder in ("message", "engine"):
        (SEEDS / folder).mkdir(parents=True, exist_ok=True)
    for name, raw in sorted(messages.items()):
        (SEEDS / "message" / name).write_bytes(raw)
    for (stem, connection), parts in conversations.items():
        raw = b"\0" + b"".join(parts)
        if len(raw) <= ENGINE_BYTES_MAX:
            (SEEDS / "engine" / f"{stem}-{connection}").write_bytes(raw)


if __name__ == "__main__":
    main()
