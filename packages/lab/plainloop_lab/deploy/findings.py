"""What `plainloop doctor` tells of replicas that were judged."""

from __future__ import annotations

from collections.abc import Iterator

from plainloop.agent.doctor.findings import Finding
from plainloop.agent.store.leases import parse_owner
from plainloop.agent.store.store import Store

from ..store.deploys import Deployed, list_deployed


async def check_deploys(store: Store) -> list[Finding]:
    """List `doctor` findings on replicas whose code behaved differently when they started."""
    return [finding for item in await list_deployed(store) for finding in tell_deployed(item)]


def tell_deployed(item: Deployed) -> Iterator[Finding]:
    """Yield the `doctor` findings about a replica's code.

    There is one for each divergence, and one for each change that no replay tested.
    """
    verdict = item.verdict or {}
    for difference in (*verdict.get("differences", ()), *verdict.get("changed", ())):
        allowed = difference["allowed"]
        level = "note" if allowed else "warn" if item.takes_runs else "fail"
        text = f"{' '.join(parse_owner(item.owner))} ({item.code}): {difference['head']}"
        todo = (
            f"allowed: {allowed}" if allowed else "`plainloop deploy check` shows the difference."
        )
        yield Finding(level, "deploy", text, todo)
