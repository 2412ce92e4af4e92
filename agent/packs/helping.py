"""Makes workers callable as tools of other workers; each call is its own run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Final

from msgspec import Meta

from ..base.messages.contents import get_answer
from ..core.spec import Pack, WorkerSpec
from ..core.taint import UNTRUSTED, has_untrusted_text
from ..core.tools import Tool, ToolContext
from ..errors import ToolError
from ..store.helper_runs import HelperRun, list_helpers
from .prompts import change_workers, list_workers

PREFIX: Final = "ask_"
Task = Annotated[
    str, Meta(min_length=1, description="all that it must know: it sees no other message")
]


def list_helper_tools(pack: Pack) -> Mapping[str, str]:
    """Map the name of each tool that runs a helper (`ask_WORKER`) to the helper's worker."""
    return {f"{PREFIX}{name}": name for worker in list_workers(pack) for name in worker.helpers}


def add_helpers(pack: Pack) -> Pack:
    """Return the pack with tools by which workers call their helpers."""
    names = list_helper_tools(pack)
    if not names:
        return pack
    made: list[Tool] = []
    for name, helper in names.items():
        if (spec := pack.get_worker(helper)) is not None:
            description = f"Let {spec.name} do a part of the work, alone. It {spec.description}."
            # Its call may go on after text from outside: the run that it begins is marked, and
            # judged by itself, call by call.
            made.append(Tool(name, description, "read", _ask, is_fixed=True))
    return replace(change_workers(pack, _add_tools), tools=(*pack.tools, *made))


def _add_tools(worker: WorkerSpec) -> WorkerSpec:
    return replace(worker, tools=(*worker.tools, *(f"{PREFIX}{name}" for name in worker.helpers)))


async def _ask(tool: ToolContext, task: Task) -> Any:
    """Return the answer of the helper run that was begun for this call. Raises: ToolError."""
    # `run:step:call`: a provider's call id may hold colons itself.
    run, (_, _, call_id) = tool.ctx.run, tool.idempotency_key.split(":", 2)
    begun = await list_helpers(tool.db, run.run_id) if run.run_id else []
    helper = next((item for item in begun if item.tool_call_id == call_id), None)
    if helper is None:
        raise ToolError(
            "this run cannot use helpers, because it is not stored or its design does not run in "
            "steps: do the work without this helper"
        )
    if helper.thread_id is None or helper.status != "succeeded":
        raise ToolError(_word_failure(helper))
    messages = await tool.ctx.store.load_messages(run.tenant_id, helper.thread_id)
    answer = {"answer": get_answer(messages)}
    return {**answer, UNTRUSTED: True} if has_untrusted_text(messages) else answer


def _word_failure(helper: HelperRun) -> str:
    """Describe why a helper's run gave no answer."""
    if helper.refused:
        return helper.refused
    if helper.status == "cancelled":
        return f"{helper.worker} was cancelled"
    return f"{helper.worker} failed: {helper.error_message or helper.error_code}"
