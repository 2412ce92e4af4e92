"""`plainloop compact plan`: which way of keeping histories short pays, and what it loses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import InputError
from plainloop_lab.replay.commands.files import index_source, open_source
from plainloop_lab.replay.commands.options import Selection
from plainloop_lab.replay.commands.threads import choose_places, load_conversation, select_threads
from plainloop_lab.replay.sources.conversations import Conversation
from plainloop_lab.replay.sources.line_ranges import read_range
from plainloop_lab.replay.sources.openai_format import parse_conversation

from ..decide.compacting import Rates, compare_policies, describe, render_policies
from .files import write_json
from .rates import find_rates


async def plan_compacting(
    source: Path | None, selection: Selection, model: str | None, target: Path | None
) -> None:
    """Compare ways to shorten histories on recorded conversations, and print their cost and losses.

    selection: of stored threads; of a file only its sample counts.
    """
    settings = load_settings()
    rates = find_rates(model, settings.prices) if model else Rates()
    sizes = (settings.limits.window_tokens, settings.limits.tool_result_tokens)
    if source is not None:
        with open_source(source) as url:
            found = compare_policies(
                read_conversations(url, selection.sample, selection.seed), *sizes
            )
    else:
        async with open_store(settings) as store:
            threads = [
                await load_conversation(store, selection.tenant_id, thread_id)
                for thread_id in await select_threads(store, selection)
            ]
        found = compare_policies(threads, *sizes)
    output.write_lines(render_policies(found, rates))
    write_json(target, describe(found, rates))


def read_conversations(url: str, sample: int | None, seed: int) -> Iterator[Conversation]:
    """Yield a sample of a file's conversations, in the file's order."""
    index = index_source(url)
    if not len(index):
        raise InputError(
            "the file contains no conversation",
            hint="Write one with `plainloop export -o FILE.jsonl`.",
        )
    chosen = sorted(choose_places(len(index), sample, seed))
    for number, line in read_range(index.get_range(chosen)):
        yield parse_conversation(line, number, repair=True)
