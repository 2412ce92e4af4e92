"""Shadows and canaries from their beginning to their end. What looks after them runs in every
replica; all that it knows is in rows.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

import msgspec

from plainloop.agent.base.ids import make_id
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.spec import Pack
from plainloop.agent.dataclasses import asdict, dataclass
from plainloop.agent.errors import InputError, NotFoundError
from plainloop.agent.service.variants import Variant, open_variant
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.store import Store
from plainloop_lab.store import rollouts as store_rollouts
from plainloop_lab.store.rollouts import NewRollout, Rollout, RolloutKind

from ..batches.chat import ROLES
from ..decide.guarding import watch_canary
from ..decide.rules import Rules
from ..live.plan import CANDIDATE, LivePlan
from ..live.spend_limit import make_unpriced_stop
from ..store import replays as store_replays
from .hosting import make_hosting
from .lanes import check_prompts

logger = logging.getLogger(__name__)

MAX_WAITING: Final = 1_000  # conversations of a shadow that wait; further ones wait as runs
_MOST_CANARY: Final = 0.5  # more than half are no canary
# What a canary begins with that shall have more; both stand in lab_assign.
FIRST_SHARE: Final = 0.2
FIRST_THREADS: Final = 1_000


@dataclass(frozen=True, slots=True)
class ShadowOptions:
    """Options of a shadow. beside: its calls wait while a process has more live runs than this."""

    share: float
    max_cost_usd: Decimal
    beside: int = 0
    requests_per_minute: int | None = None
    judge: Variant | None = None


async def check_variant(
    variant: Variant,
    settings: Settings,
    packs: Mapping[str, Pack],
    judge: Variant | None = None,
    *,
    has_limit: bool = False,
) -> None:
    """Check that a shadow's or canary's candidate can answer.

    Called before it gets users' runs. has_limit: of cost, which needs the prices. Raises:
    ConfigError, MissingKeyError; InputError when it changes nothing; PriceUnknown.
    """
    if variant == Variant():
        raise InputError(
            "the candidate is the same as today's configuration",
            hint="Change something with --model, --prompts or --design.",
        )
    check_prompts(variant, packs)
    workers = {spec.name for pack in packs.values() for spec in pack.workers}
    for one, asked in ((variant, [*ROLES, *workers]), (judge, ["evaluator"])):
        if one is None:
            continue
        models = (await open_variant(one, settings)).models
        chains = [models.resolve_chain("worker" if n in workers else n, n) for n in asked]
        for handle in (handle for chain in chains for handle in chain):
            if has_limit and handle.price_bound(1, 1) is None:
                raise make_unpriced_stop(handle.label)


async def start_shadow(
    store: Store, tenant_id: str, user_id: str, variant: Variant, options: ShadowOptions
) -> str:
    """Start a shadow, which replays a share of all runs with a candidate.

    Returns the rollout's id. Raises: ConflictError when one runs, InputError.
    """
    if not 0 < options.share <= 1:
        raise InputError(
            "a shadow's share must be above 0 and at most 100%", hint="Write it like 20% or 0.2."
        )
    replay_id = make_id()
    plan = LivePlan(
        {CANDIDATE: variant},
        requests_per_minute=options.requests_per_minute,
        judge=options.judge,
        beside=options.beside,
    )
    source = {"text": f"shadow of {options.share:.3g} of all runs", **make_hosting(1)}
    told = "shadow", user_id, options.share, secrets.token_hex(16), asdict(variant)
    new = NewRollout(make_id(), *told, replay_id=replay_id)
    async with store.transaction(tenant_id) as tx:
        await store_rollouts.insert_rollout(tx, new)
        await store_replays.insert_replay(
            tx,
            user_id,
            replay_id,
            source=source,
            candidate=plan.to_json(),
            max_cost_usd=options.max_cost_usd,
        )
    return new.rollout_id


async def start_canary(
    store: Store, tenant_id: str, user_id: str, variant: Variant, share: float, guards: Rules
) -> str:
    """Start a canary, which answers a share of all threads with a candidate.

    Returns the rollout's id. Of the first threads it answers at most `FIRST_SHARE`.

    Raises: ConflictError when one runs, InputError.
    """
    if not 0 < share <= _MOST_CANARY:
        raise InputError(
            "a canary's share must be above 0 and at most 50%", hint="Write it like 20% or 0.2."
        )
    told = "canary", user_id, share, secrets.token_hex(16), asdict(variant)
    new = NewRollout(make_id(), *told, guards=msgspec.to_builtins(guards))
    async with store.transaction(tenant_id) as tx:
        await store_rollouts.insert_rollout(tx, new)
    return new.rollout_id


async def feed_shadow(store: Store, tenant_id: str, rollout_id: str) -> None:
    """Add a sample of the runs that have ended to a shadow's replay.

    If the replay has ended, ends the shadow.
    """
    async with store.transaction(tenant_id) as tx:
        rollout = await store_rollouts.hold_rollout(tx, rollout_id)
        if rollout is None:
            return
        if (reason := await _find_end(tx, rollout)) is not None:
            await store_rollouts.end_rollout(tx, rollout_id, "returned", reason)
            logger.warning("shadow_ended", extra={"rollout_id": rollout_id, "reason": reason})
            return
        info = await store_replays.load_replay(tx, None, rollout.replay_id or "")
        lanes = [*LivePlan.from_json(info.candidate).all_lanes]
        await store_rollouts.add_items(tx, rollout, lanes, MAX_WAITING)


async def _find_end(tx: Queryable, rollout: Rollout) -> str | None:
    """Return why a shadow's replay does not continue; None if it does."""
    try:
        info = await store_replays.load_replay(tx, None, rollout.replay_id or "")
    except NotFoundError:
        return "its replay was erased"
    if info.status == "stopped":
        return await store_replays.load_stop(tx, info.replay_id)
    return "its replay was cancelled" if info.is_cancelled else None


async def stop_rollout(store: Store, tenant_id: str, rollout: Rollout) -> bool:
    """Stop a shadow or canary, so that it gets no more runs.

    A shadow's open replay is cancelled. Returns False if the rollout had ended before.
    """
    async with store.transaction(tenant_id) as tx:
        done = await store_rollouts.end_rollout(tx, rollout.rollout_id, "stopped", "on request")
        if done and rollout.replay_id is not None:
            await store_replays.cancel_replay(tx, None, rollout.replay_id)
            await store_replays.finish_replay(tx, rollout.replay_id)
    return done


async def look_after(
    store: Store, tenant_id: str, rollout_id: str, kind: RolloutKind, wait_s: float
) -> None:
    """Feed a shadow once, or judge a canary once, with `wait_s` of `watch_canary`."""
    if kind == "shadow":
        await feed_shadow(store, tenant_id, rollout_id)
    else:
        await watch_canary(store, tenant_id, rollout_id, wait_s)
