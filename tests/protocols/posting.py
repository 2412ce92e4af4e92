"""One message in the words of a page: of AG-UI and of the AI SDK."""

from __future__ import annotations

from typing import Any


def make_input(run: str = "r1", thread: str = "t1", said: str = "please do it") -> dict[str, Any]:
    message = {"id": f"m-{run}", "role": "user", "content": said}
    return {"threadId": thread, "runId": run, "messages": [message], "tools": [], "context": []}


def make_body(chat: str, said: str = "hello") -> dict[str, Any]:
    message = {"id": f"m-{chat}", "role": "user", "parts": [{"type": "text", "text": said}]}
    return {"id": chat, "messages": [message], "trigger": "submit-message"}
