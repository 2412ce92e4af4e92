"""`plainloop shadow` and `canary`: begin one, show it, end it."""

from __future__ import annotations

from pathlib import Path

from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.cli.terminal.rendering import format_time
from plainloop.agent.cli.usage.tables import format_usd
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import InputError
from plainloop.agent.packs.loading import load_served_packs
from plainloop.agent.providers.http.clients import close_clients
from plainloop.agent.service.variants import Variant
from plainloop.agent.store.store import Store
from plainloop_lab.replay.commands.files import open_folder
from plainloop_lab.store import rollouts as store_rollouts
from plainloop_lab.store.rollouts import Rollout, RolloutKind

from ..decide.guarding import (
    describe_guard,
    describe_mean,
    read_guards,
    read_rollout_rules,
    read_state,
)
from ..report.facts import describe_changes
from ..report.live_report import report_replay
from ..service.rollouts import (
    FIRST_SHARE,
    FIRST_THREADS,
    ShadowOptions,
    check_variant,
    look_after,
    stop_rollout,
)
from ..service.rollouts import start_canary as begin_canary
from ..service.rollouts import start_shadow as begin_shadow
from ..store import replays as store_replays

RETURNED = 1  # the exit code


def parse_share(text: str) -> float:
    """Parse a share such as "20%" or "0.2" to a number above 0 and at most 1.

    >>> parse_share("20%"), parse_share("0.1")
    (0.2, 0.1)
    """
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError as error:
        raise InputError(
            f"the share {text!r} is not a number", hint="Write it like 20% or 0.2."
        ) from error
    if not 0 < share <= 1:
        raise InputError(
            f"the share {text} is out of range", hint="It must be above 0 and at most 100%."
        )
    return share


async def start_shadow(owner: Owner, variant: Variant, options: ShadowOptions) -> None:
    """Start a shadow that replays a share of runs with a candidate, and print its id."""
    await _check(variant, options.judge, has_limit=True)
    async with open_store(load_settings()) as store:
        rollout_id = await begin_shadow(store, owner.tenant_id, owner.user_id, variant, options)
    output.write_line(f"shadow {rollout_id}: {options.share:.1%} of all runs from now on")


async def start_canary(owner: Owner, variant: Variant, share: float, guards: Path | None) -> None:
    """Start a canary that answers a share of threads with a candidate, and print its id."""
    rules = read_guards(guards)
    await _check(variant)
    async with open_store(load_settings()) as store:
        rollout_id = await begin_canary(
            store, owner.tenant_id, owner.user_id, variant, share, rules
        )
    told = f"{share:.1%}{_describe_stage(share)} of all threads, from their next message on"
    output.write_line(f"canary {rollout_id}: {told}")


async def _check(
    variant: Variant, judge: Variant | None = None, *, has_limit: bool = False
) -> None:
    settings = load_settings()
    packs = {pack.name: pack for pack in load_served_packs(settings)}
    try:
        await check_variant(variant, settings, packs, judge, has_limit=has_limit)
    finally:
        await close_clients()


async def show_shadow(owner: Owner, report: Path | None) -> None:
    """Print the newest shadow's results and cost, and write its report if a folder is named."""
    open_folder(report)
    async with open_store(load_settings()) as store:
        rollout = await _load(store, owner, "shadow")
        rows = store.read(owner.tenant_id)
        info = await store_replays.load_replay(rows, None, rollout.replay_id or "")
        spent = await store_replays.load_spending(rows, info.replay_id)
        sides = await store_rollouts.count_sides(rows, rollout.rollout_id)
        if report is not None:
            await report_replay(store, owner.tenant_id, info, report)
    _write_head(rollout)
    runs, waiting = sum(side.runs for side in sides), sum(side.waiting for side in sides)
    told = ", ".join(f"{count:,} {status}" for status, count in sorted(info.items.items()))
    output.write_line(f"  sampled: {runs:,} runs, {waiting:,} of them not ended or not checked yet")
    output.write_line(f"  replay {info.replay_id}: {told or 'nothing yet'}")
    limit = None if info.max_cost_usd is None else f"{info.max_cost_usd:f}"
    output.write_line(f"  spent: ${spent.cost_usd:.4f} of {format_usd(limit)}")


async def show_canary(owner: Owner) -> int:
    """Print the newest canary's threads, runs and guards.

    Returns: exit code 1 when it was taken back.
    """
    async with open_store(load_settings()) as store:
        rollout = await _load(store, owner, "canary")
        sides = await store_rollouts.count_sides(store.read(owner.tenant_id), rollout.rollout_id)
    _write_head(rollout)
    for side in sides:
        output.write_line(f"  {side.side:<10} {side.threads:>7,} threads {side.runs:>8,} runs")
    rules = read_rollout_rules(rollout)
    for rule, guard in zip(rules.rule, read_state(rollout, rules), strict=True):
        found = describe_guard(rule, guard, rules)
        means = [describe_mean(rule.measure, found[side]) for side in ("candidate", "baseline")]
        output.write_line(
            f"  {rule.text:<34} {means[0]:>8} against {means[1]:>8}"
            f"   evidence {found['evidence']:,.2f} of {found['needed']:,.0f}"
        )
    return RETURNED if rollout.status == "returned" else 0


async def stop(owner: Owner, kind: RolloutKind) -> None:
    """End the newest shadow or canary."""
    async with open_store(load_settings()) as store:
        rollout = await _load(store, owner, kind)
        if not await stop_rollout(store, owner.tenant_id, rollout):
            raise InputError(
                f"the {kind} has already ended: {rollout.reason}",
                hint=f"`plainloop {kind} start` starts a new one.",
            )
    output.write_line(f"{kind} {rollout.rollout_id} has ended")


async def _load(store: Store, owner: Owner, kind: RolloutKind) -> Rollout:
    """Load the newest rollout, after one check of it, so that it is current without a server."""
    rows = store.read(owner.tenant_id)
    found = await store_rollouts.load_rollout(rows, kind=kind)
    if found.status != "running":
        return found
    wait_s = load_settings().limits.run_timeout_s
    await look_after(store, owner.tenant_id, found.rollout_id, kind, wait_s)
    return await store_rollouts.load_rollout(rows, found.rollout_id)


def _write_head(rollout: Rollout) -> None:
    reason = f": {rollout.reason}" if rollout.reason else ""
    output.write_line(f"{rollout.kind} {rollout.rollout_id} {rollout.status}{reason}")
    stage = _describe_stage(rollout.share) if rollout.kind == "canary" else ""
    changes = describe_changes(rollout.candidate)
    begun = format_time(rollout.created_at)
    output.write_line(f"  since {begun}, share {rollout.share:.1%}{stage}, {changes}")


def _describe_stage(share: float) -> str:
    """Describe the smaller share that a canary begins with; "" if it begins with all of it."""
    if share <= FIRST_SHARE:
        return ""
    return f" ({FIRST_SHARE:.0%} of the first {FIRST_THREADS:,})"
