"""Reports budgets that are nearly used up or exceeded: to run, viewers, log and webhook."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, Final

from ..events import BudgetNotice
from ..store.connecting.settings import UsageSettings
from ..store.records import Notice
from .seams import RunView

logger = logging.getLogger(__name__)

WEBHOOK_TIMEOUT_S: Final = 10.0
_sending: set[asyncio.Task[None]] = set()  # tasks that nobody holds may be collected


def send_notices(notices: Sequence[Notice], ctx: RunView) -> None:
    """Record budget notices in the run, and send new ones to viewers, log and webhook."""
    for notice in notices:
        if notice.budget.is_hard:
            ctx.journal.is_budget_near = True
        ctx.journal.note(notice.message)
        if notice.is_new:
            of, text = notice.budget, notice.message
            data: BudgetNotice = {"budget_id": of.budget_id, "is_hard": of.is_hard, "message": text}
            _send_notice(data, notice.subject, ctx)


def tell_alarm(alarm: str, ctx: RunView) -> None:
    """Send an alarm about the prompt cache to viewers as a budget notice."""
    ctx.journal.note(alarm)
    _send_notice({"budget_id": "cache", "is_hard": False, "message": alarm}, "", ctx)


def _send_notice(data: BudgetNotice, subject: str, ctx: RunView) -> None:
    ctx.emit({"event": "budget", "data": data})
    about = {"tenant_id": ctx.tenant_id, "budget_id": data["budget_id"], "reason": data["message"]}
    logger.warning("budget_notice", extra=about)
    if (url := ctx.settings.get_table(UsageSettings).budget_webhook) is not None:
        payload = {"tenant_id": ctx.tenant_id, "subject": subject, **data}
        task = asyncio.create_task(_post(url, payload))
        _sending.add(task)
        task.add_done_callback(_sending.discard)


async def finish_notices() -> None:
    """Wait for webhook notices that are still being sent, before the process ends."""
    await asyncio.gather(*_sending)


async def _post(url: str, about: dict[str, Any]) -> None:
    """Post a notice to the operator's own address, which is not guarded."""
    import httpx2

    try:
        async with httpx2.AsyncClient(timeout=WEBHOOK_TIMEOUT_S) as client:
            answer = await client.post(url, json=about)
            answer.raise_for_status()
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        logger.warning("budget_webhook_failed", extra={"reason": type(error).__name__})
