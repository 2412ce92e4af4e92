"""Claims runs without an owner: of dead processes, handed back, decided, queued.

Looking is cheap and goes on all the time; a claim is atomic in the database, so any number of
processes may look at once. A run that may have taken its owner down is not taken at once, and one
that has lost two of them alone (docs/decisions/05-runs-and-takeover.md).
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from ..errors import StoreError
from ..store.queue import CLAIMED_AT_ONCE, Claim
from ..store.store import Store
from .live_runs import LiveRuns
from .settings import RunLimits

logger = logging.getLogger(__name__)

Take = Callable[[Claim], Awaitable[None]]


class Recovery:
    """Claims stored runs that no process works on, as many as this process has room for.
    take: starts a claimed run; if it raises, the others are started all the same. count_room: how
    many more this process may take. left_s: for so many seconds, runs of other code are left to
    the replicas that repeat it.
    """

    def __init__(
        self,
        store: Store,
        live: LiveRuns,
        limits: RunLimits,
        take: Take,
        count_room: Callable[[], int],
        left_s: float = 0.0,
    ) -> None:
        self._store = store
        self._live = live
        self._limits = limits
        self._take = take
        self._count_room = count_room
        self._left_s = left_s

    async def look(self) -> None:
        """Claim and execute runs that no process owns: first lost ones, last queued ones."""
        if self._count_room() <= 0:
            return
        limits = self._limits
        queue, owner, lease_s = self._store.queue, self._live.owner, limits.lease_s
        # Of these only the heartbeat is late: if this process claimed them, it would execute them
        # twice.
        held = [live.run.run_id for live in self._live.list_all()]
        dropped = [run_id for run_id in self._live.dropped if run_id not in held]
        is_last = False
        while not is_last and self._count_room() > 0:
            claims = await queue.claim_lost_runs(
                owner,
                lease_s,
                dropped=dropped,
                held=held,
                pause_s=limits.quarantine_s,
                # One claim more than there are attempts, which ends the run with a reason
                # (test_a_run_that_crashes_every_process_is_given_up).
                attempts=limits.run_attempts + 1,
                left_s=self._left_s,
            )
            # Only those in the request: a run dropped meanwhile is claimed in the next round.
            self._live.dropped.difference_update(dropped)
            for claim in claims:
                if claim.is_paused:
                    fields = {"run_id": claim.run.run_id, "attempt": claim.run.attempt}
                    logger.warning("run_quarantined", extra=fields)
                else:
                    await self._take_surely(claim)
                    held.append(claim.run.run_id)
            # Do not claim until none is left: each claim searches the runs of all tenants
            # (test_more_lost_runs_than_one_claim_takes_are_found_at_once).
            is_last = len(claims) < CLAIMED_AT_ONCE
        if self._count_room() > 0:
            suspect = await queue.claim_suspect(owner, lease_s)
            if suspect is not None:
                await self._take_surely(suspect)
        while self._count_room() > 0:
            claim = await queue.claim_queued_run(owner, lease_s)
            if claim is None:
                break
            await self._take_surely(claim)

    async def _take_surely(self, claim: Claim) -> None:
        """Start a claimed run; if the database is away, release it for a later retry."""
        try:
            await self._take(claim)
        except StoreError as error:
            await self._live.set_aside(claim.run, claim.run.next_step, error)
        except Exception:
            # One run's error (options of a newer version, a design that cannot be built) must not
            # leave the round's other claims with this process as an owner that never works on them.
            # The run's own lease expires and counts as a crash, so that it is given up in the end
            # (test_an_unreadable_run_delays_no_other_run).
            logger.exception("run_not_taken", extra={"run_id": claim.run.run_id})
        except BaseException:
            self._live.dropped.add(claim.run.run_id)
            raise
