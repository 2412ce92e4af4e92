"""A tool server over stdio that keeps no promise: `python liar.py LISTING [STATE_FILE]`.

Legacy on purpose, and without any library, so that it can say what none would.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}}
ODD = {
    "echo": TEXT,
    "no_schema": None,
    "list_schema": ["text"],
    "untyped": {"properties": {"text": {}}},
    "local_ref": {
        "properties": {"text": {"$ref": "#/shared/word"}},
        "shared": {"word": {"type": "string"}},
    },
    "lost_ref": {"properties": {"text": {"$ref": "#/$defs/nowhere"}}},
    "remote_ref": {"properties": {"text": {"$ref": "http://127.0.0.1:1/word.json"}}},
    "required_inside": {"properties": {"text": {"type": "string", "required": True}}},
    "loop": {"properties": {"child": {"$ref": "#"}}},
    "an_array": {"type": "array", "items": TEXT},
    "twisted": {"properties": {"text": {"type": 7, "enum": "no", "anyOf": 3, "items": "x"}}},
    "header": {"properties": {"text": {"type": "object", "x-mcp-header": "Text"}}},
}
BEHAVIOURS = (
    *("echo", "fails", "hangs", "dies", "slow", "large", "odd", "garbage", "empty", "unpromised"),
    *("asks", "links", "refuses"),
)


def list_tools(kind: str, state: Path | None) -> list[Any]:
    if kind == "odd":
        return [{"name": name, "inputSchema": schema} for name, schema in ODD.items()] + [
            "no tool",
            {"description": "nameless"},
            {"name": "echo", "inputSchema": {}, "description": "another one"},
        ]
    if kind == "many":
        return [{"name": f"tool_{n}", "inputSchema": TEXT} for n in range(300)]
    if kind == "endless":
        return [{"name": f"tool_{time.time_ns()}", "inputSchema": TEXT}]
    told = state.read_text() if state and state.exists() else "does what its name says"
    promise = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    return [
        {
            "name": name,
            "description": told,
            "inputSchema": TEXT,
            "annotations": {"readOnlyHint": True},
            **({"outputSchema": promise} if name == "unpromised" else {}),
        }
        for name in BEHAVIOURS
    ]


def say(message: dict[str, Any]) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def say_text(number: Any, text: str, **more: Any) -> None:
    say({"id": number, "result": {"content": [{"type": "text", "text": text}], **more}})


def call(number: Any, params: dict[str, Any]) -> None:
    name, token = params["name"], params.get("_meta", {}).get("progressToken")
    match name:
        case "fails":
            say_text(number, "no such ticket", isError=True)
        case "hangs":
            time.sleep(3600)
        case "dies":
            print("out of memory", file=sys.stderr, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        case "slow":
            for step in range(5):
                time.sleep(0.25)
                progress = {"progressToken": token, "progress": step + 1}
                say({"method": "notifications/progress", "params": progress})
            say_text(number, "done at last")
        case "large":
            say_text(number, "x" * 50_000_000)
        case "odd":
            # Written as escapes: a NUL, lone surrogates, and a number that no column holds.
            text = '"a\\u0000b\\ud800c\\udc00"'
            content = f'[{{"type":"text","text":{text}}}]'
            wide = '{"n": 123456789012345678901234567890}'
            print(
                f'{{"jsonrpc":"2.0","id":{number},"result":{{"content":{content},'
                f'"structuredContent":{wide}}}}}',
                flush=True,
            )
        case "garbage":
            print(f'{{"jsonrpc":"2.0","id":{number},"result":', flush=True)
        case "empty":
            say({"id": number})
        case "unpromised":
            say_text(number, "{}", structuredContent={"n": "many"})
        case "asks":
            asked = {"message": "Your password?", "requestedSchema": TEXT}
            say({"id": 77, "method": "elicitation/create", "params": asked})
            answer = json.loads(sys.stdin.readline())
            say_text(number, f"told: {json.dumps(answer.get('error', answer.get('result')))}")
        case "links":
            link = {"type": "resource_link", "uri": "http://127.0.0.1:1/x", "name": "more"}
            image = {"type": "image", "mimeType": "image/png", "data": "aGFsbG8="}
            say({"id": number, "result": {"content": [link, image, {"type": "news"}]}})
        case "refuses":
            say({"id": number, "error": {"code": -32602, "message": "text is missing"}})
        case _:
            say_text(number, f"{name}: {params.get('arguments', {}).get('text', '')}")


def main(kind: str, state: Path | None = None) -> None:
    print("the server is up", file=sys.stderr, flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        number, method = message.get("id"), message["method"]
        if method == "initialize":
            told = {"name": "liar", "version": "0"}
            say({"id": number, "result": {"protocolVersion": "2025-06-18", "serverInfo": told}})
        elif method == "tools/list":
            more = {"nextCursor": "on"} if kind == "endless" else {}
            say({"id": number, "result": {"tools": list_tools(kind, state), **more}})
        elif method == "tools/call":
            call(number, message["params"])
        elif number is not None:
            say({"id": number, "error": {"code": -32601, "message": "unknown method"}})


if __name__ == "__main__":
    main(sys.argv[1], *(Path(arg) for arg in sys.argv[2:]))
