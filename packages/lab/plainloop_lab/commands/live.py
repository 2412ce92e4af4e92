"""`plainloop replay live` and what follows it: resume, list, cancel."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Final

from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.cli.terminal.rendering import format_time
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import ConfigError, InputError
from plainloop.agent.packs.loading import load_served_packs
from plainloop.agent.providers.http.clients import close_clients
from plainloop.agent.store.outages import keep_trying
from plainloop.agent.store.store import Store
from plainloop_lab.replay.commands.files import (
    index_source,
    open_folder,
    open_source,
    prepare,
    survey,
)
from plainloop_lab.replay.commands.options import Selection, Source
from plainloop_lab.replay.commands.threads import choose_places, select_threads
from plainloop_lab.replay.engine.stored import leave_out
from plainloop_lab.replay.report.recorded_report import describe_left_out
from plainloop_lab.replay.sources.line_ranges import read_range
from plainloop_lab.replay.sources.openai_format import parse_conversations, to_openai

from ..batches.batch_run import cancel_orphans
from ..live.known_models import check_known_models
from ..live.plan import (
    BASELINE,
    CANDIDATE,
    LanePlan,
    LivePlan,
    choose_drift,
    describe_source,
    limit_to_routing,
    make_judge,
)
from ..live.spend_limit import SpendLimitReached
from ..report.facts import describe_changes
from ..report.verdict import EXIT_CODES
from ..service.lanes import open_lanes
from ..service.worker import NewItem, ReplayWorker, create_replay, drop_left_sandboxes
from ..settings import ReplayLimits
from ..store import replays as store_replays
from .live_report import show_replay
from .options import Asking, Candidate, Judging, Outcome, TriedModels, Work
from .reports import find_info, load_info, name_report

CONCURRENCY: Final = 4


def make_plans(
    tried: TriedModels,
    candidate: Candidate,
    asking: Asking,
    judging: Judging,
    *,
    is_file: bool = False,
) -> dict[str, LivePlan]:
    """Make a plan of a live replay for each candidate, by the candidate's name.

    is_file: the source has no recording to take answers from.

    Raises: InputError, BadParameter.
    """
    plans = {
        name: make_plan(lane, asking, judging, is_file=is_file)
        for name, lane in make_lanes(tried, candidate).items()
    }
    if not asking.only_routing:
        return plans
    return {name: limit_to_routing(plan, is_imported=is_file) for name, plan in plans.items()}


def make_lanes(tried: TriedModels, candidate: Candidate) -> dict[str, LanePlan]:
    """Make the variant (settings, prompts, design) of each candidate, by its name.

    The name is "" for an unnamed candidate. Raises: InputError, BadParameter.
    """
    common, prompts = candidate.read_settings(), read_prompts(candidate.prompts)
    return {
        name: LanePlan(common | settings, prompts, candidate.design)
        for name, settings in (tried.list_settings() or {"": {}}).items()
    }


def make_plan(
    lane: LanePlan, asking: Asking, judging: Judging, *, is_file: bool = False
) -> LivePlan:
    """Make the plan of one candidate's live replay from the command's options.

    Raises: InputError.
    """
    return LivePlan(
        {BASELINE: LanePlan(), CANDIDATE: lane} if asking.baseline else {CANDIDATE: lane},
        history=asking.history,
        allow_reads=asking.allow_reads,
        requests_per_minute=asking.requests_per_minute,
        sandbox=asking.sandbox,
        judge=read_judge(judging),
        batch_api=asking.batch_api,
        share=asking.share,
        drift=0.0
        if is_file
        else choose_drift(lane, load_settings().get_table(ReplayLimits).replay_drift),
    )


def make_candidate(tried: TriedModels, candidate: Candidate) -> LanePlan:
    """Make the variant of the only candidate, for commands that try one.

    Raises: InputError, also for several; BadParameter.
    """
    lanes = make_lanes(tried, candidate)
    if len(lanes) > 1:
        raise InputError(
            "this command tries one candidate at a time, but several were named",
            hint="Name one with --candidate.",
        )
    return next(iter(lanes.values()))


async def replay_live(
    plans: Mapping[str, LivePlan],
    source: Source,
    selection: Selection,
    work: Work,
    outcome: Outcome,
) -> int:
    """Run a live replay for each candidate in turn, and print the results.

    Baselines of later ones reuse the answers of earlier ones. Returns: exit code 1 when a
    conversation failed.
    """
    plan, *others = plans.values()
    if others and source.file == "-":
        raise InputError(
            "with several candidates, conversations cannot be read from stdin",
            hint="Write them to a file and name it with --from.",
        )
    if plan.sandbox and source.file is not None:
        raise InputError(
            "--sandbox works only with stored threads",
            hint="Leave out --sandbox: a file contains only the schemas of its tools.",
        )
    if plan.lanes[CANDIDATE].design is not None and source.file is not None:
        raise InputError(
            "--design works only with stored threads",
            hint="A file's conversations run with the design `react`; their system "
            "message is the prompt.",
        )
    open_folder(outcome.report)
    # What cannot work is told before anything is paid.
    for each in plans.values():
        lanes = await open_lanes(each, os.environ, is_imported=source.file is not None)
        await check_known_models(each, lanes)
    owner = Owner(selection.tenant_id)
    earlier: list[str] = []
    codes: list[int] = []
    left = work.limit_usd
    async with open_store(load_settings()) as store:
        for name, each in plans.items():
            shared = replace(each, answers_from=tuple(earlier))
            replay_id = await write_batch(store, owner, shared, source, selection, left)
            output.write_status(f"replay {replay_id}{f': {name}' if others else ''}")
            own = outcome
            if outcome.report is not None and others:
                own = replace(outcome, report=name_report(outcome.report, name))
            open_folder(own.report)
            codes.append(await work_on(store, owner, replay_id, work, own))
            earlier.append(replay_id)
            if left is not None:
                spent = await store_replays.load_spending(store.read(owner.tenant_id), replay_id)
                left = max(Decimal(0), left - spent.cost_usd - spent.open_usd)
    return 1 if 1 in codes else max(codes)


async def resume_replay(store: Store, owner: Owner, text: str, work: Work, outcome: Outcome) -> int:
    """Join a running replay as one more process, or reopen an ended replay.

    A replay is also reopened to raise its cost limit. Returns the command's exit code.
    """
    open_folder(outcome.report)
    info = await find_info(store, owner, text)
    if info.ended_at is not None or work.limit_usd is not None:
        async with store.transaction(owner.tenant_id) as tx:
            await store_replays.reopen_replay(tx, info.replay_id, work.limit_usd)
    return await work_on(store, owner, info.replay_id, work, outcome)


async def write_batch(
    store: Store,
    owner: Owner,
    plan: LivePlan,
    source: Source,
    selection: Selection,
    limit: Decimal | None,
) -> str:
    """Create a live replay of stored threads or a file's conversations, and return its id.

    Raises: InputError, NotFoundError when there is nothing to replay.
    """
    whose = (owner.tenant_id, owner.user_id)
    if source.file is None:
        packs = {pack.name: pack for pack in load_served_packs(load_settings())}
        chosen_ids = await select_threads(store, selection)
        async with store.transaction(owner.tenant_id) as tx:
            thread_ids, left_out = await leave_out(tx, chosen_ids, packs)
        told = describe_source("stored threads", selection.sample, selection.seed)
        told = ", ".join([told, *describe_left_out(left_out)])
        items = [NewItem(thread_id=thread_id) for thread_id in thread_ids]
        return await create_replay(store, *whose, items, plan, told, limit)
    with open_source(source.file) as url:
        index = index_source(url)
        prepared = prepare(index, survey(index, repair=source.repair), source.tools)
        chosen = choose_places(prepared.count, selection.sample, selection.seed)
        imported = replace(plan, shapes=prepared.shapes)
        lines = read_range(index.get_range(sorted(chosen)))
        read = parse_conversations(lines, repair=source.repair)
        items = (NewItem(conversation=to_openai(conversation)) for conversation in read)
        name = "stdin" if source.file == "-" else Path(source.file).name
        told = f"{name} (sha256 {prepared.digest[:12]}…)"
        told = describe_source(told, selection.sample, selection.seed)
        return await create_replay(store, *whose, items, imported, told, limit)


async def work_on(store: Store, owner: Owner, replay_id: str, work: Work, outcome: Outcome) -> int:
    """Run a replay until it ends, and print its result.

    Returns the exit code. It is 1 when a conversation failed, then the verdict's if strict.
    """
    try:
        await run_replay(store, owner, replay_id, work.concurrency)
    except SpendLimitReached:
        await show_replay(store, owner, replay_id, outcome.report)  # of what was bought until then
        raise
    finally:
        await close_clients()
    info, kind = await show_replay(store, owner, replay_id, outcome.report)
    if info.status != "succeeded":
        return 1
    return EXIT_CODES[kind] if outcome.strict else 0


async def run_replay(store: Store, owner: Owner, replay_id: str, concurrency: int | None) -> None:
    """Run a replay until it ends, showing only its progress.

    Raises: SpendLimitReached, ReplayStopped.
    """
    info = await keep_trying(lambda: load_info(store, owner, replay_id))
    plan = LivePlan.from_json(info.candidate)
    lanes = await open_lanes(plan, os.environ)
    open_items = sum(info.items.get(status, 0) for status in ("queued", "running"))
    with output.progress_bar("replaying", open_items) as advance:
        told = advance, output.write_status
        worker = ReplayWorker(store, owner.tenant_id, info, lanes, *told)
        # With a batch API as many as a batch shall have requests.
        usual = (
            load_settings().get_table(ReplayLimits).batch_conversations
            if plan.batch_api
            else CONCURRENCY
        )
        await worker.run(concurrency or usual)


async def list_replays(store: Store, owner: Owner, limit: int) -> None:
    """Print the user's newest replays, one a line."""
    rows = store.read(owner.tenant_id)
    found = await store_replays.list_replays(rows, owner.user_id, limit)
    if not found:
        output.write_status("no replays yet")
    for info in found:
        begun = format_time(info.created_at)
        candidate = describe_changes(info.candidate["lanes"][CANDIDATE])
        output.write_line(
            f"{info.replay_id}  {begun}  {info.status:<9}  {info.source['text']}  {candidate}"
        )


async def cancel_replay(store: Store, owner: Owner, text: str) -> None:
    """Cancel a replay, so that its workers stop at their next call.

    Answers that were paid for stay stored.
    """
    info = await find_info(store, owner, text)
    replay_id = info.replay_id
    async with store.transaction(owner.tenant_id) as tx:
        if not await store_replays.cancel_replay(tx, owner.user_id, replay_id):
            raise InputError(
                f"the replay {replay_id} has already ended",
                hint=f"`plainloop replay show {replay_id}` shows its result.",
            )
        await store_replays.finish_replay(tx, replay_id)
    plan = LivePlan.from_json(info.candidate)
    if plan.sandbox:  # no process may come that would drop them
        await drop_left_sandboxes(store, replay_id)
    if plan.batch_api:
        await cancel_batches(store, owner, replay_id, plan)
    output.write_line(f"replay {replay_id} will stop")


async def cancel_batches(store: Store, owner: Owner, replay_id: str, plan: LivePlan) -> None:
    """Cancel the replay's provider batches that no running process drives."""
    try:
        lanes = await open_lanes(plan, os.environ)
        count = await cancel_orphans(store, owner.tenant_id, replay_id, lanes)
    except ConfigError as error:
        output.write_status(f"the replay's batches at the provider continue: {error.message}")
        return
    finally:
        await close_clients()
    if count:
        output.write_status(f"cancelled at the provider: {count}")


def read_prompts(folder: Path | None) -> dict[str, str]:
    """Read a candidate's prompts from a folder, by worker (WORKER.md).

    {} without a folder. Raises: InputError for a folder without any.
    """
    if folder is None:
        return {}
    if not folder.is_dir():
        raise InputError(
            f"no such folder: {folder}", hint="Put prompts into it as WORKER.md, or as react.md."
        )
    try:
        found = {p.stem: p.read_text(encoding="utf-8").strip() for p in folder.glob("*.md")}
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"the prompts in {folder} cannot be read: {error}", hint="Save them as UTF-8 text."
        ) from error
    if not found:
        raise InputError(
            f"{folder} contains no prompt", hint="Put prompts into it as WORKER.md, or as react.md."
        )
    return found


def read_judge(judging: Judging) -> LanePlan | None:
    """Make the judge model's variant from the command's options.

    None without --judge. Raises: InputError.
    """
    model, rubric = judging.judge, judging.rubric
    if model is None:
        if rubric is not None:
            raise InputError(
                "--rubric needs --judge",
                hint="Name the judging model with --judge, or leave out --rubric.",
            )
        return None
    try:
        text = None if rubric is None else rubric.read_text(encoding="utf-8").strip()
        return make_judge(model, text)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"the rubric {rubric} cannot be read: {error}",
            hint="Check its path; it is a text file.",
        ) from error
