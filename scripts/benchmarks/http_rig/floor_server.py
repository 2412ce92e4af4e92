"""The floor: the paced model's words as one would stream them by hand, and nothing else.

Starlette under uvicorn and uvloop, no database, no runs, no events that could be read again. Run
as a process of its own: `python -m scripts.benchmarks.http_rig.floor_server RATE TOKENS [WARMING]`.
"""

from __future__ import annotations

import json
import sys
import uuid
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from plainloop_wire.serving import open_listener
from scripts.benchmarks.http_rig.paced_server import PacedProvider


def make_app(rate: float, tokens: int, warming: int = 0) -> Starlette:
    model = PacedProvider(rate, tokens, warming)

    async def begin(request: Request) -> Response:
        return JSONResponse({"id": str(uuid.uuid4())})

    async def answer(request: Request) -> Response:
        await request.json()
        return StreamingResponse(stream(), media_type="text/event-stream")

    async def stream() -> AsyncIterator[bytes]:
        request: Any = None
        async for piece in model.generate_stream(request):
            content = getattr(piece, "text", None)
            if content is not None:
                yield b"event: text_delta\ndata: %b\n\n" % _dump({"content": content})
        yield b"event: done\ndata: {}\n\n"

    begin_path = "/api/chat/conversations"
    return Starlette(
        routes=[
            Route(begin_path, begin, methods=["POST"]),
            Route(begin_path + "/{id}/messages", answer, methods=["POST"]),
        ]
    )


def _dump(data: object) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


if __name__ == "__main__":
    listener = open_listener("127.0.0.1", 0)
    app = make_app(float(sys.argv[1]), int(sys.argv[2]), *map(int, sys.argv[3:]))
    server = uvicorn.Server(uvicorn.Config(app, loop="uvloop", log_level="error"))
    print("http://{}:{}".format(*listener.getsockname()[:2]), flush=True)
    server.run(sockets=[listener])
