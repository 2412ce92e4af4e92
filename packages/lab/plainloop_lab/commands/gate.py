"""`plainloop gate`: may it go live?"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from plainloop.agent.cli.replay.options import Selection
from plainloop.agent.cli.replay.threads import select_threads
from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import InputError
from plainloop.agent.replay.report.report_files import REPORT_FILE, list_report

from ..comparing.comparison import RECORDING
from ..comparing.measures import JUDGED
from ..decide.compacting import estimate_cost
from ..decide.gate import EXIT_CODES, judge_all
from ..decide.judges import calibrate, read_labels, render_calibration
from ..decide.looks import identify, remember_look
from ..decide.outcomes import Place, Side, has_baseline, parse_place, read_side
from ..decide.planning import plan, render_plan, render_trials, simulate
from ..decide.rules import Rules, read_rules
from ..decide.touching import Touched, find_touched, render_touched
from ..decide.verdicts import render_junit, render_lines, render_markdown, render_page
from ..live.plan import CANDIDATE, LanePlan, LivePlan
from ..report.sharing_tally import describe_sharing, is_all_shared
from ..service.lanes import open_lanes
from ..store.verdicts import record_gate_verdict
from .compact import read_conversations
from .files import write_file, write_json
from .live import read_prompts
from .rates import find_rates
from .reports import find_report


@dataclass(frozen=True, slots=True)
class Files:
    """Says where the result is written; None: not."""

    json: Path | None
    junit: Path | None
    markdown: Path | None
    html: Path | None


async def gate(
    owner: Owner,
    path: Path,
    baseline: str | None,
    candidates: Sequence[str],
    files: Files,
    *,
    is_recorded: bool,
) -> int:
    """Judge each candidate by the rules. Exit code: of the verdict. is_recorded: it is kept as a
    row, whatever the candidates are.
    """
    rules = read_rules(path)
    if not candidates:
        raise InputError("what is to be judged?", hint="--candidate, or --plan before there is one")
    is_compared = not all(rule.is_absolute for rule in rules.rule)
    with tempfile.TemporaryDirectory() as folder:
        read = SideReader(owner, rules, Path(folder))
        base = await read.read_baseline(baseline, candidates[0]) if is_compared else None
        sides = {name: await read(name, is_baseline=False) for name in candidates}
        sharing = {name: await read.read_sharing(name) for name in candidates}
        doubts = {name: {**await read.doubt(name), **sharing[name][1]} for name in candidates}
        names = {name: await read.identify(name) for name in candidates}
        replays = {name: await read.find_replay(name) for name in candidates}
    result = judge_all(rules, base, sides, doubts)
    settings = load_settings()
    for item in result["candidates"]:
        try:
            found = remember_look(settings.data_dir, names[item["name"]], rules, item["tasks"])
        except OSError as error:
            output.write_status(f"earlier looks are not known: {error}")
            found = []
        item["earlier_looks"] = found
        item["sharing"] = sharing[item["name"]][0]
    output.write_lines(render_lines(result))
    write_json(files.json, result)
    write_file(files.junit, render_junit(result))
    write_file(files.markdown, render_markdown(result).encode())
    write_file(files.html, render_page(result).encode())
    # Last: a database that is away costs no report.
    if is_recorded or not all(is_on_disk(name) for name in candidates):
        async with open_store(settings) as store, store.transaction(owner.tenant_id) as tx:
            await record_gate_verdict(tx, owner.user_id, rules, result, replays)
    output.write_line(f"verdict: {result['verdict']}")
    return EXIT_CODES[result["verdict"]]


async def plan_gate(
    owner: Owner,
    path: Path,
    baseline: str | None,
    candidates: int,
    cost_usd: float | None,
    models: Sequence[str],
    prompts: Path | None,
    touched: float | None,
) -> None:
    """Show how a gate would be planned. cost_usd: of a conversation on both sides. models: whose
    prices it is estimated by, the candidate's and the baseline's; of one, for both. prompts: the
    candidate's, tried against the stored threads without buying anything. touched: a share, where
    it is known without.
    """
    rules, side, is_recording = await _read_baseline(owner, path, baseline)
    if cost_usd is None and models and baseline is not None:
        own = load_settings().prices
        place = parse_place(baseline).path
        both = (models[0], models[-1])
        cost_usd = sum(
            estimate_cost(read_conversations(str(place), None, 0), find_rates(model, own))
            for model in both
        )
    if prompts is not None:
        found = await plan_sharing(owner, prompts)
        output.write_lines(render_touched(found))
        touched = found.share if touched is None else touched
    share = 1.0 if touched is None else touched
    planned = plan(rules, side, candidates, cost_usd, is_recording, share)
    output.write_lines(render_plan(planned))


async def plan_sharing(owner: Owner, prompts: Path) -> Touched:
    """Find what of all stored threads a candidate with these prompts would have to buy."""
    lane = LanePlan(prompts=read_prompts(prompts))
    made = LivePlan({CANDIDATE: lane}, drift=1.0)
    lanes = await open_lanes(made, os.environ)
    async with open_store(load_settings()) as store:
        threads = await select_threads(store, Selection(tenant_id=owner.tenant_id))
        return await find_touched(store, owner.tenant_id, threads, made, lanes[CANDIDATE])


async def simulate_gate(
    owner: Owner, path: Path, baseline: str | None, draws: int, target: Path | None
) -> None:
    rules, side, _ = await _read_baseline(owner, path, baseline)
    found = simulate(rules, side, draws)
    if not found:
        raise InputError("no rule has a margin to try: not_worse by so many points")
    output.write_lines(render_trials(found, draws))
    shown = {name: [asdict(trial) for trial in trials] for name, trials in found.items()}
    write_json(target, {"draws": draws, "rules": shown})


@dataclass(frozen=True, slots=True)
class SideReader:
    """Reads sides from folders, files, or replays of the database, whose report is made for it."""

    owner: Owner
    rules: Rules
    folder: Path

    async def __call__(self, text: str, *, is_baseline: bool) -> Side:
        return read_side(await self._find(text), self.rules, is_baseline=is_baseline)

    async def read_baseline(self, text: str | None, candidate: str) -> Side:
        """Raises: InputError when nothing is named and the candidate has none of its own."""
        if text is None and not has_baseline((await self._find(candidate)).path):
            raise InputError(f"{candidate} has no baseline of its own", hint="--baseline")
        return await self(text or candidate, is_baseline=True)

    async def read_sharing(self, text: str) -> tuple[str, dict[str, str]]:
        """(what the candidate had to buy, by measure why sharing leaves it in doubt)."""
        path = (await self._find(text)).path
        head = list_report(path / REPORT_FILE)[0] if path.is_dir() else {}
        summary: dict[str, Any] = head.get("summary", {})
        if "sharing" not in summary:
            return "", {}
        told = describe_sharing(summary)
        if is_all_shared(summary["sharing"]):
            told = f"nothing differs; {told}"
        is_void = summary["sharing"]["is_void"]
        why = "sharing with the recording is void: ask a baseline"
        return told, dict.fromkeys([r.measure for r in self.rules.rule], why) if is_void else {}

    async def doubt(self, text: str) -> dict[str, str]:
        """Say by measure why it is in doubt: a judge that judges the place, not the answer."""
        path = (await self._find(text)).path
        if not path.is_dir() or all(rule.measure != JUDGED for rule in self.rules.rule):
            return {}
        reason = calibrate(path).doubt
        return {JUDGED: reason} if reason else {}

    async def identify(self, text: str) -> str:
        """Identify a side with `looks.identify`."""
        return identify(await self._find(text))

    async def find_replay(self, text: str) -> str | None:
        """Return which live replay it is; None: no report says so."""
        path = (await self._find(text)).path
        return list_report(path / REPORT_FILE)[0].get("replay_id") if path.is_dir() else None

    async def is_recording(self, text: str) -> bool:
        """Whether it holds what was answered once: nothing tells how far the same agent differs."""
        place = await self._find(text)
        return not has_baseline(place.path) or place.lane == RECORDING

    async def _find(self, text: str) -> Place:
        if is_on_disk(text):
            return parse_place(text)
        name, _, lane = text.partition(":")
        return Place(await find_report(self.owner, name, self.folder), lane or None)


def is_on_disk(text: str) -> bool:
    """Whether it is a folder or file; else a replay of the database."""
    return parse_place(text).path.exists()


async def _read_baseline(
    owner: Owner, path: Path, baseline: str | None
) -> tuple[Rules, Side, bool]:
    """(rules, the side, whether it was answered once)."""
    rules = read_rules(path)
    if baseline is None:
        raise InputError("from which conversations?", hint="--baseline")
    with tempfile.TemporaryDirectory() as folder:
        read = SideReader(owner, rules, Path(folder))
        side = await read(baseline, is_baseline=True)
        return rules, side, await read.is_recording(baseline)


async def check_judge(owner: Owner, report: str, labels: Path | None) -> int:
    """Exit code: 1 when nothing may be decided by this judge."""
    with tempfile.TemporaryDirectory() as made:
        folder = await find_report(owner, report, Path(made))
        found = calibrate(folder, None if labels is None else read_labels(labels))
    output.write_lines(render_calibration(found))
    return 1 if found.doubt else 0
