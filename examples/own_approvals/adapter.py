"""An old backend's contract in front of plainloop's HTTP API, with approvals, users and history.

POST /chat/stream {message, session_id}, POST /approve {id, approve}, GET /history?session_id=…;
the header X-User-Id names the user. Another contract is another `translate`.
"""

import json
import os
import sqlite3
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

import jwt
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

from plainloop.client import ApiError, AsyncClient, RunEvent, RunFailed

SECRET = os.environ["AGENT_AUTH_JWT_SECRET"]
DB = sqlite3.connect("sessions.db", isolation_level=None)
DB.execute("create table if not exists sessions (user, session, id, primary key (user, session))")


def connect(user: str) -> AsyncClient:
    """Act as this user: whoever can set the header X-User-Id must have checked who it is."""
    token = jwt.encode({"sub": user, "exp": time.time() + 3600}, SECRET, "HS256")
    headers = {"authorization": f"Bearer {token}", "x-plainloop-drafts": "false"}
    return AsyncClient(sys.argv[1], headers=headers)


async def find_conversation(client: AsyncClient, *key: str) -> str:
    """Return the conversation of a user's session; create it for the first message."""
    select = "select id from sessions where user = ? and session = ?"
    if DB.execute(select, key).fetchone() is None:
        new = (await client.create_conversation())["id"]
        DB.execute("insert or ignore into sessions values (?, ?, ?)", (*key, new))
    return DB.execute(select, key).fetchone()[0]


def translate(event: RunEvent, run_id: str) -> dict[str, Any] | None:
    """Translate one event of plainloop; None where the old contract has no shape."""
    data = event.data
    match event.name:
        case "text_delta":
            return {"type": "token", "content": data["content"]}
        case "tool_start":
            return {"type": "tool_start", "name": data["name"], "input": data["arguments"]}
        case "tool_result":
            return {"type": "tool_end", "name": data["name"], "output": data["result"]}
        case "tool_error":
            return {"type": "tool_end", "name": data["name"], "output": {"error": data["error"]}}
        case "approval_request":
            question = {"question": data["question"], "input": data["arguments"]}
            return {"type": "approval", "id": f"{run_id}.{data['approval_id']}", **question}
        case "done":
            return {"type": "done"}


async def stream(user: str, session: str, message: str) -> AsyncIterator[str]:
    run_id = ""
    async with connect(user) as client:
        try:
            conversation = await find_conversation(client, user, session)
            async for event in client.ask(conversation, message, when_busy="enqueue"):
                run_id = event.data.get("run_id", run_id)
                if old := translate(event, run_id):
                    yield f"data: {json.dumps(old)}\n\n"
        except (ApiError, RunFailed) as error:
            yield f"data: {json.dumps({'type': 'error', 'message': str(error)})}\n\n"


async def chat(request: Request) -> StreamingResponse:
    body, user = await request.json(), request.headers["x-user-id"]
    events = stream(user, body["session_id"], body["message"])
    return StreamingResponse(events, media_type="text/event-stream")


async def approve(request: Request) -> JSONResponse:
    body = await request.json()
    run_id, approval_id = body["id"].split(".")
    async with connect(request.headers["x-user-id"]) as client:
        try:
            await client.decide(run_id, approval_id, body["approve"])
            return JSONResponse({"ok": True})
        except ApiError as error:  # expired, decided already, or another user's
            return JSONResponse({"ok": False, "error": error.code}, error.status)


async def history(request: Request) -> JSONResponse:
    user, session = request.headers["x-user-id"], request.query_params["session_id"]
    async with connect(user) as client:
        path = f"/api/chat/conversations/{await find_conversation(client, user, session)}"
        messages = (await client.request("GET", path))["messages"]
    shown = [one for one in messages if one["content"] and one["role"] != "tool"]
    return JSONResponse([{"role": one["role"], "content": one["content"]} for one in shown])


ROUTES = {
    "/chat/stream": (chat, "POST"),
    "/approve": (approve, "POST"),
    "/history": (history, "GET"),
}
app = Starlette(routes=[Route(path, do, methods=[how]) for path, (do, how) in ROUTES.items()])
if __name__ == "__main__":
    uvicorn.run(app, port=int(sys.argv[2]), log_level="warning")
