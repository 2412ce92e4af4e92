"""What a live replay came to, in a terminal: `replay show`, and the end of `live` and `resume`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import NotFoundError
from plainloop.agent.store.outages import keep_trying
from plainloop.agent.store.store import Store
from plainloop_lab.replay.commands.files import open_folder
from plainloop_lab.replay.report.report_files import PAGE_FILE

from ..comparing.comparison import RECORDING
from ..comparing.measures import BY_NAME, Change, count_changes
from ..decide.outcomes import has_path
from ..report.compare import Outcome as Difference
from ..report.compare import Turns, compare_reports, read_batch, read_report
from ..report.facts import describe_lane, describe_ledger, describe_tools
from ..report.live_report import report_replay
from ..report.numbers import format_difference, format_p, format_value
from ..report.summary import list_measured
from ..report.verdict import EXIT_CODES, Kind
from ..store.replays import ReplayInfo
from .options import Outcome
from .reports import find_info, load_info

_COLUMN: Final = 12
SHOWN_REGRESSIONS: Final = 5
SHOWN_FAILURES: Final = 3


async def show_stored_replay(store: Store, owner: Owner, text: str, outcome: Outcome) -> int:
    """Print a stored replay's result, and return the exit code.

    The code is 0, or with `--strict` the verdict's.
    """
    open_folder(outcome.report)
    info = await find_info(store, owner, text)
    _, kind = await show_replay(store, owner, info.replay_id, outcome.report)
    return EXIT_CODES[kind] if outcome.strict else 0


async def show_replay(
    store: Store, owner: Owner, replay_id: str, folder: Path | None
) -> tuple[ReplayInfo, Kind]:
    """Print a replay's summary, and write the report's files if a folder is named.

    Returns: the replay and the kind of its verdict.
    """
    info = await keep_trying(lambda: load_info(store, owner, replay_id))
    with output.progress("comparing"):
        result = await keep_trying(lambda: report_replay(store, owner.tenant_id, info, folder))
    items = ", ".join(f"{count} {status}" for status, count in sorted(info.items.items()))
    output.write_line(f"replay {info.replay_id} · {info.status} · {items}")
    verdict = result["summary"]["verdict"]
    for line in render_result(result):
        is_warning = line == verdict["headline"] and EXIT_CODES[verdict["kind"]]
        output.write_warning(line) if is_warning else output.write_line(line)
    if folder is not None:
        output.write_line(f"report: {folder / PAGE_FILE}")
    return info, verdict["kind"]


def render_result(result: Mapping[str, Any]) -> list[str]:
    """Render a live replay's report as lines for a terminal.

    result: head, summary and regressions of a report.
    """
    summary = result["summary"]
    lanes = {name: describe_lane(name, lane, summary) for name, lane in result["lanes"].items()}
    measured = list(list_measured(summary))
    failures: list[str] = []
    for item in summary["failures"][:SHOWN_FAILURES]:
        count = format_count(item["conversations"], "conversation")
        failures.append(f"  {item['lane']} failed in {count}: {item['code']} {item['message']}")
    return [
        f"source: {result['source']} · history: {result['history']}",
        *(f"{name}: {text}" for name, text in lanes.items()),
        f"tools: {describe_tools(result)}",
        *([f"judge: {result['judge']['model']}"] if result["judge"] else []),
        describe_ledger(result["ledger"]),
        "",
        *([*render_table(measured, [RECORDING, *lanes]), ""] if measured else []),
        summary["verdict"]["headline"],
        *summary["verdict"]["reasons"],
        *failures,
        *render_regressions(result["regressions"]),
    ]


def render_table(measures: Sequence[Mapping[str, Any]], lanes: Sequence[str]) -> list[str]:
    """Render a table of the measures: a column per variant with its mean per turn.

    Further columns have the candidate's difference and its p-value.
    """
    width = max((len(item["title"]) for item in measures), default=0)
    head = "".join(f"{name:>{_COLUMN}}" for name in (*lanes, "difference", "p"))
    lines = [f"{'per turn':<{width}}{head}"]
    for item in measures:
        means = [item["lanes"].get(lane, {}).get("mean") for lane in lanes]
        cells = [format_value(mean, item["unit"]) for mean in means]
        found = item["difference"]
        cells.append(format_difference(found["mean"] if found else None, item["unit"]))
        cells.append(format_p(found["p_adjusted"]) if found and item["better"] else "")
        row = "".join(f"{cell:>{_COLUMN}}" for cell in cells)
        lines.append(f"{item['title']:<{width}}{row}".rstrip())
    return lines


def render_regressions(turns: Sequence[Mapping[str, Any]]) -> list[str]:
    """Render the worst conversations of a replay, a line each.

    The line names what got worse, and in how many turns.
    """
    found: dict[str, list[Sequence[Change]]] = {}
    for turn in turns:
        found.setdefault(turn["conversation_id"], []).append(turn["worse"])
    lines: list[str] = []
    for conversation_id, worse in [*found.items()][:SHOWN_REGRESSIONS]:
        counted = (f"{BY_NAME[name].title} ({count})" for name, count in count_changes(worse))
        turned = format_count(len(worse), "turn")
        lines.append(f"  {conversation_id}: {turned} worse: {', '.join(counted)}")
    return lines


async def compare_replays(owner: Owner, one: str, other: str) -> int:
    """Print the differences between two replays.

    Returns the exit code: 0 if there are none, else 1.
    """
    async with AsyncExitStack() as stack:
        store: Store | None = None
        if not all(is_report(text) for text in (one, other)):
            store = await stack.enter_async_context(open_store(load_settings()))
        sides = [await open_side(store, owner, text) for text in (one, other)]
        outcome = await compare_reports(*sides)
    output.write_lines(render_outcome(outcome))
    return 0 if outcome.is_same else 1


async def open_side(
    store: Store | None, owner: Owner, text: str
) -> AsyncIterator[tuple[str, Turns]]:
    """Open one side of a comparison as (title, turns).

    text: a report's folder, or the id of a stored replay.
    """
    if store is None or is_report(text):
        return read_report(Path(text))
    try:
        info = await find_info(store, owner, text)
    except NotFoundError as error:
        raise NotFoundError(
            f"{error.message}, and there is no folder {text}", hint=error.hint
        ) from error
    return read_batch(store, owner.tenant_id, info)


def is_report(text: str) -> bool:
    """Whether a text names a report's folder on disk."""
    return has_path(text)


def render_outcome(outcome: Difference) -> list[str]:
    """Render a comparison of two replays as lines: differing conversations, then counts."""
    lines: list[str] = []
    for difference in outcome.differing:
        lines.append(difference.conversation_id)
        lines += [f"  {line}" for line in difference.lines]
    if outcome.differs > len(outcome.differing):
        more = outcome.differs - len(outcome.differing)
        lines.append(f"… and {more:,} more conversations")
    apart = {
        "only in the first": outcome.only_first,
        "only in the second": outcome.only_second,
        "left out of both": outcome.left_out,
    }
    for name, found in apart.items():
        if found:
            count = format_count(len(found), "conversation")
            lines.append(f"{name}: {count}, such as {found[0]}")
    compared = format_count(outcome.compared, "conversation")
    return [*lines, f"{compared} compared, {outcome.differs:,} differ"]
