"""An SSE backend's own JSON shapes in front of plainloop: POST /chat/stream {message, session_id}.

Another contract is another `translate`. A session's id is the chat's id: nothing is kept here.
"""

import json
import sys
import uuid
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route


def translate(chunk: dict[str, Any], names: dict[str, str]) -> dict[str, Any] | None:
    """Translate one chunk of the AI SDK's stream; None where the old contract has no shape."""
    match chunk["type"]:
        case "text-delta":
            return {"type": "token", "content": chunk["delta"]}
        case "tool-input-available":
            names[chunk["toolCallId"]] = chunk["toolName"]
            if "plainloop" in chunk.get("providerMetadata", {}):
                return None  # started before its question, in the answer before this one
            return {"type": "tool_start", "name": chunk["toolName"], "input": chunk["input"]}
        case "tool-output-available" | "tool-output-error":
            output = chunk.get("output", {"error": chunk.get("errorText")})
            return {"type": "tool_end", "name": names[chunk["toolCallId"]], "output": output}
        case "error":
            return {"type": "error", "message": chunk["errorText"]}
        case "finish":
            return {"type": "done"}


async def stream(message: str, session_id: str, token: str) -> AsyncIterator[str]:
    said = {"id": str(uuid.uuid4()), "role": "user", "parts": [{"type": "text", "text": message}]}
    body = {"id": session_id, "message": said, "trigger": "submit-message"}
    headers, names = {"authorization": token} if token else {}, dict[str, str]()
    async with (
        httpx2.AsyncClient(base_url=sys.argv[1], headers=headers, timeout=None) as client,
        client.stream("POST", "/api/ui/default/chat", json=body) as answer,
    ):
        async for line in answer.aiter_lines():
            if answer.status_code != 200:  # the body is a sentence, or JSON with an error
                yield f"data: {json.dumps({'type': 'error', 'message': line})}\n\n"
            elif line.startswith("data: {") and (old := translate(json.loads(line[6:]), names)):
                yield f"data: {json.dumps(old)}\n\n"


async def chat(request: Request) -> StreamingResponse:
    body, token = await request.json(), request.headers.get("authorization", "")
    events = stream(body["message"], body["session_id"], token)
    return StreamingResponse(events, media_type="text/event-stream")


app = Starlette(routes=[Route("/chat/stream", chat, methods=["POST"])])
if __name__ == "__main__":
    uvicorn.run(app, port=int(sys.argv[2]), log_level="warning")
