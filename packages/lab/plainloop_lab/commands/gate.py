"""`plainloop gate`: may it go live?"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.config.settings import load_settings
from plainloop.agent.dataclasses import asdict, dataclass
from plainloop.agent.errors import InputError
from plainloop_lab.replay.commands.options import Selection
from plainloop_lab.replay.commands.threads import select_threads
from plainloop_lab.replay.report.report_files import REPORT_FILE, list_report

from ..comparing.comparison import RECORDING
from ..comparing.measures import JUDGED
from ..decide.compacting import estimate_cost
from ..decide.expected.references import SCORES_FILE, References, read_references
from ..decide.expected.scoring import doubt_judge
from ..decide.gate import EXIT_CODES, judge_all
from ..decide.judges import calibrate, read_labels, render_calibration
from ..decide.looks import identify, remember_look
from ..decide.outcomes import Place, Side, has_baseline, has_path, parse_place, read_side
from ..decide.planning import plan, render_plan, render_trials, simulate
from ..decide.rules import Rules, read_rules
from ..decide.touching import Touched, find_touched, render_touched
from ..decide.verdicts import render_junit, render_lines, render_markdown, render_page
from ..live.plan import CANDIDATE, LanePlan, LivePlan
from ..report.history import (
    add_entries,
    describe_rules,
    find_branch,
    find_commit,
    make_entries,
    read_history,
)
from ..report.sharing_tally import describe_sharing, is_all_shared
from ..service.lanes import open_lanes
from ..store.verdicts import record_gate_verdict
from .compact import read_conversations
from .files import write_file, write_json
from .live import read_prompts
from .options import Expectation, Planning, Sides, TriedModels, VerdictFiles
from .rates import find_rates
from .reports import find_report, is_replay_id


@dataclass(frozen=True, slots=True)
class Known:
    """A candidate's doubts and sharing, beside its numbers.

    sharing: what it had to buy. doubts: by measure why it is in doubt. identity: as
    `looks.identify`. replay_id: the live replay that it is; None: no report says so.
    """

    sharing: str
    doubts: dict[str, str]
    identity: str
    replay_id: str | None


async def gate(
    owner: Owner, path: Path, compared: Sides, files: VerdictFiles, expectation: Expectation
) -> int:
    """Judge each candidate by the rules, print the verdicts and store them.

    Returns the exit code.
    """
    rules = read_rules(path)
    candidates = TriedModels(compared.candidate, compared.of_worker).list_settings()
    if not candidates:
        raise InputError(
            "no candidate was named",
            hint="Use --candidate; without a candidate, only --plan is possible.",
        )
    is_compared = not all(rule.is_absolute for rule in rules.rule)
    with tempfile.TemporaryDirectory() as folder:
        places = {
            name: await find_place(owner, name, Path(folder), settings)
            for name, settings in candidates.items()
        }
        beside = {it.path / SCORES_FILE for it in places.values() if it.path.is_dir()}
        scores = expectation.scores or sorted(path for path in beside if path.exists())
        references = read_references(expectation.expected, *scores)
        base: Side | None = None
        if is_compared:
            first, place = next(iter(places.items()))
            if compared.baseline is not None:
                place = await find_place(owner, compared.baseline, Path(folder))
            elif not has_baseline(place.path):
                raise InputError(f"{first} contains no baseline", hint="Name one with --baseline.")
            base = read_side(place, rules, is_baseline=True, references=references)
        sides = {
            name: read_side(p, rules, is_baseline=False, references=references)
            for name, p in places.items()
        }
        known = {name: read_known(place, rules, references) for name, place in places.items()}
    result = judge_all(rules, base, sides, {name: item.doubts for name, item in known.items()})
    settings = load_settings()
    for item in result["candidates"]:
        mine, tasks = known[item["name"]], item["tasks"]
        try:
            looks = remember_look(settings.data_dir, mine.identity, rules, tasks)
        except OSError as error:
            output.write_status(f"earlier looks are unknown: {error}")
            looks = []
        item |= {"earlier_looks": looks, "sharing": mine.sharing}
    keep_history(result, files)
    output.write_lines(render_lines(result))
    write_json(files.json, result)
    write_file(files.junit, render_junit(result))
    write_file(files.markdown, render_markdown(result))
    write_file(files.html, render_page(result))
    # Last: a database that is away costs no report.
    if compared.record or not all(is_on_disk(name) for name in candidates):
        replays = {name: item.replay_id for name, item in known.items()}
        async with open_store(settings) as store, store.transaction(owner.tenant_id) as tx:
            await record_gate_verdict(tx, owner.user_id, rules, result, replays)
    output.write_line(f"verdict: {result['verdict']}")
    return EXIT_CODES[result["verdict"]]


def keep_history(result: dict[str, Any], files: VerdictFiles) -> None:
    """Append the gate's verdicts to the history file.

    Adds to each rule since when its verdict has been the same. Raises: InputError.
    """
    if files.history is None:
        if files.branch is not None:
            raise InputError(
                "--branch needs --history", hint="Add --history FILE, or leave out --branch."
            )
        return
    branch = files.branch or find_branch(os.environ)
    entries = make_entries(result, datetime.now(UTC), branch, find_commit(os.environ))
    before = read_history(files.history, branch)
    is_alone = len(entries) == 1
    for entry, item in zip(entries, result["candidates"], strict=True):
        mine = [old for old in before if is_alone or old.candidate == entry.candidate]
        told = describe_rules([*mine, entry])
        for rule in item["rules"]:
            rule["history"] = told[rule["rule"]]
    add_entries(files.history, entries)


async def plan_gate(owner: Owner, path: Path, compared: Sides, planning: Planning) -> None:
    """Print how many conversations a gate needs for its rules, and what they would cost."""
    baseline, candidates = compared.baseline, max(1, len(compared.candidate or ()))
    rules, side, is_recording = await _read_baseline(owner, path, baseline)
    cost_usd, touched = planning.cost_usd, planning.touched
    if cost_usd is None and planning.model and baseline is not None:
        own = load_settings().prices
        place = parse_place(baseline).path
        cost_usd = sum(
            estimate_cost(read_conversations(str(place), None, 0), find_rates(model, own))
            for model in (planning.model[0], planning.model[-1])  # the candidate's, the baseline's
        )
    if planning.prompts is not None:
        found = await plan_sharing(owner, planning.prompts)
        output.write_lines(render_touched(found))
        touched = found.share if touched is None else touched
    share = 1.0 if touched is None else touched
    planned = plan(rules, side, candidates, cost_usd, is_recording, share)
    output.write_lines(render_plan(planned))


async def plan_sharing(owner: Owner, prompts: Path) -> Touched:
    """Count the calls that a candidate with these prompts would have to buy.

    Calls that stay as recorded in the stored threads need not be bought.
    """
    lane = LanePlan(prompts=read_prompts(prompts))
    made = LivePlan({CANDIDATE: lane}, drift=1.0)
    lanes = await open_lanes(made, os.environ)
    async with open_store(load_settings()) as store:
        threads = await select_threads(store, Selection(tenant_id=owner.tenant_id))
        return await find_touched(store, owner.tenant_id, threads, made, lanes[CANDIDATE])


async def simulate_gate(
    owner: Owner, path: Path, baseline: str | None, draws: int, target: Path | None
) -> None:
    """Simulate a gate's rules on recorded outcomes and print each verdict's frequency."""
    rules, side, _ = await _read_baseline(owner, path, baseline)
    found = simulate(rules, side, draws)
    if not found:
        raise InputError(
            "nothing to simulate: no rule has a margin in percentage points or as a plain number",
            hint='Write margin = "2pp", for example, in a rule without at_least and at_most.',
        )
    output.write_lines(render_trials(found, draws))
    shown = {name: [asdict(trial) for trial in trials] for name, trials in found.items()}
    write_json(target, {"draws": draws, "rules": shown})


def read_known(place: Place, rules: Rules, references: References) -> Known:
    """Read a candidate's report for a gate: doubts about its judges, shared answers, its id."""
    is_report = place.path.is_dir()
    head = list_report(place.path / REPORT_FILE)[0] if is_report else {}
    doubts: dict[str, str] = {}
    if is_report and any(rule.measure == JUDGED for rule in rules.rule):
        reason = calibrate(place.path).doubt
        doubts |= {JUDGED: reason} if reason else {}
    if any(check.facts for check in rules.check.values()):
        reason = doubt_judge(references.controls)
        judged = (name for name, check in rules.check.items() if check.facts)
        doubts |= dict.fromkeys(judged, reason) if reason else {}
    told, summary = "", head.get("summary", {})
    if "sharing" in summary:
        told = describe_sharing(summary)
        if is_all_shared(summary["sharing"]):
            told = f"no difference; {told}"
        if summary["sharing"]["is_void"]:
            why = "answers shared with the recording are not valid: run a baseline"
            doubts |= {rule.measure: why for rule in rules.rule}
    return Known(told, doubts, identify(place), head.get("replay_id"))


async def find_place(
    owner: Owner, text: str, folder: Path, settings: Mapping[str, str] | None = None
) -> Place:
    """Resolve a path, a replay's id or a candidate's name to a report.

    The report of a replay is written to `folder` first. settings: as for `find_report`.
    """
    if is_on_disk(text):
        return parse_place(text)
    name, _, lane = text.partition(":")
    if settings is not None and not is_replay_id(name):
        return Place(await find_report(owner, text, folder, settings))
    return Place(await find_report(owner, name, folder), lane or None)


def is_on_disk(text: str) -> bool:
    """Whether a text names a folder or file that exists.

    Other texts name a replay in the database.
    """
    return has_path(parse_place(text).path)


async def _read_baseline(
    owner: Owner, path: Path, baseline: str | None
) -> tuple[Rules, Side, bool]:
    """Read (the rules, the baseline's outcomes, whether they are of a single recording).

    Then nothing tells how far the same agent differs from itself.
    """
    rules = read_rules(path)
    if baseline is None:
        raise InputError(
            "no conversations were named", hint="Name a report or file with --baseline."
        )
    with tempfile.TemporaryDirectory() as folder:
        place = await find_place(owner, baseline, Path(folder))
        is_recording = not has_baseline(place.path) or place.lane == RECORDING
        return rules, read_side(place, rules, is_baseline=True), is_recording


async def check_judge(owner: Owner, report: str, labels: Path | None) -> int:
    """Print how far a judge model agrees with itself and with people.

    Returns the exit code: 1 if nothing may be decided by this judge, else 0.
    """
    with tempfile.TemporaryDirectory() as made:
        folder = await find_report(owner, report, Path(made))
        found = calibrate(folder, None if labels is None else read_labels(labels))
    output.write_lines(render_calibration(found))
    return 1 if found.doubt else 0
