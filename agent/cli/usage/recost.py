"""`plainloop usage recost`: price the ledger again, explicitly."""

from __future__ import annotations

from datetime import datetime

from ...base.text import format_count
from ...config.settings import load_settings
from ...providers.pricing import Prices
from ...usage.recost import recost_calls
from ...usage.report import FIRST, LAST
from ..terminal import output
from ..terminal.opening import open_store
from .tables import format_usd


async def recost(
    tenant: str, since: datetime | None, until: datetime | None, *, is_trial: bool
) -> None:
    settings = load_settings()
    async with open_store(settings) as store:
        with output.progress("pricing calls again …"):
            async with store.transaction(tenant) as tx:
                prices = Prices(settings.prices)
                done = await recost_calls(
                    tx, prices, since or FIRST, until or LAST, is_trial=is_trial
                )
    verb = "would change" if is_trial else "changed"
    output.write_line(
        f"{format_count(done.calls, 'call')} with known usage, {done.changed:,} {verb}: "
        f"{format_usd(str(done.before_usd))} → {format_usd(str(done.after_usd))}, "
        f"{done.newly_known:,} of them had no price before"
    )
    if done.changed and not is_trial:
        output.write_line("what they cost before is kept in the ledger's rows (former_costs)")
