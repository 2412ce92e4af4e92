"""The end of a staff interview: a summary by the model, then one JSON file, written as a whole."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import orjson

from plainloop.agent.base.messages.contents import get_text, make_text_message
from plainloop.agent.base.text.cleaning import cut_text
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.llm import ModelCall, call_model
from plainloop.agent.core.seams import RunView
from plainloop.agent.core.tools import ToolContext, ToolOutcome
from plainloop.agent.errors import ModelError, ToolError
from plainloop.agent.types import ChatRequest

from .fields import FIELD_NAMES
from .settings import get_export_dir

INTERVIEWER: Final = "staff_interview"  # the worker whose model summarises
SUMMARY_TOKENS: Final = 300
TALK_TOKENS: Final = 3_000
LINE_CHARS: Final = 600
BULLETS: Final = (2, 3)
_PROMPT: Final = (Path(__file__).parent / "prompts" / "summary.md").read_text("utf-8").strip()
_BULLET: Final = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")


async def export_fields(tool: ToolContext, confirmation_message: str | None) -> ToolOutcome:
    """Write the interview's fields and a summary to a file, and store the summary.

    Raises: ToolError when the model cannot summarise.
    """
    ctx = tool.ctx
    summary = await summarise(ctx, tool.data)
    document: dict[str, Any] = {
        **build_document(ctx.thread_id, tool.data),
        "exported_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "conversation_summary": summary,
        "confirmation_message": confirmation_message,
    }
    path = get_export_path(ctx.settings, ctx.thread_id)
    try:
        await asyncio.to_thread(write_document, path, document)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        message = f"Failed to write export file: {reason}"
        return ToolOutcome({"status": "error", "message": message, "file_path": str(path)})
    result = {
        "status": "success",
        "message": "Onboarding data exported successfully",
        "file_path": str(path),
        "summary": summary,
    }
    return ToolOutcome(result, data={"conversation_summary": summary})


def build_document(thread_id: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Build the exported JSON of an interview from its recorded fields."""
    values = {name: data.get(name) for name in FIELD_NAMES}
    return {"conversation_id": thread_id, **values, "comments": data.get("comments") or {}}


def get_export_path(settings: Settings, thread_id: str) -> Path:
    return get_export_dir(settings) / f"{thread_id}.json"


def delete_export(settings: Settings, thread_id: str) -> None:
    """Delete the exported file of an erased interview, if there is one."""
    get_export_path(settings, thread_id).unlink(missing_ok=True)


async def summarise(ctx: RunView, data: Mapping[str, Any]) -> str:
    """Summarise an interview in two or three Markdown bullets by one model call."""
    recorded = list_recorded(data)
    talk = await ctx.store.load_messages(ctx.tenant_id, ctx.thread_id, max_tokens=TALK_TOKENS)
    said = [f"{m['role']}: {cut_text(get_text(m), LINE_CHARS)}" for m in talk if get_text(m)]
    text = "\n".join([*recorded, "", "The conversation:", *said])
    request = ChatRequest(
        system=_PROMPT,
        messages=[make_text_message("user", text)],
        max_tokens=SUMMARY_TOKENS,
        timeout_s=ctx.limits.model_timeout_s,
    )
    call = ModelCall("worker", request, [], request.messages, INTERVIEWER)
    try:
        response = await call_model(call, ctx)
    except ModelError as error:
        told = f"the summary could not be written; try again later: {error.message}"
        raise ToolError(told) from error
    return to_bullets(response.text, recorded)


def list_recorded(data: Mapping[str, Any]) -> list[str]:
    """List the recorded fields as lines, such as "Employee name: Ada Lovelace"."""
    lines: list[str] = []
    for name in FIELD_NAMES:
        value = data.get(name)
        if value not in (None, "") and name != "conversation_summary":
            shown = ("no", "yes")[value] if isinstance(value, bool) else value
            lines.append(f"{name.replace('_', ' ').capitalize()}: {shown}")
    return lines


def to_bullets(text: str, recorded: list[str]) -> str:
    """Convert the model's text to two or three bullets.

    Recorded fields are added if the text has fewer.

    >>> to_bullets("Sure:\\n* Ada starts.\\n* Mouse.\\n* a\\n* b", [])
    '- Ada starts.\\n- Mouse.\\n- a'
    >>> to_bullets("Ada starts.", ["Starter kit: mouse"])
    '- Ada starts.\\n- Starter kit: mouse'
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    bullets = [_BULLET.sub("", line) for line in lines if _BULLET.match(line)]
    if not bullets:
        bullets = [part for line in lines for part in re.split(r"(?<=[.!?])\s+", line)]
    least, most = BULLETS
    bullets = [*bullets, *recorded][: max(least, min(len(bullets), most))]
    return "\n".join(f"- {bullet}" for bullet in bullets)


def write_document(path: Path, document: Mapping[str, Any]) -> None:
    """Write JSON to a file atomically.

    A reader sees the old document or the new one. Raises: OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    content = orjson.dumps(document, option=orjson.OPT_INDENT_2)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.stem}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
