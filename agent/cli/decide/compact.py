"""`plainloop compact plan`: which way of keeping histories short pays, and what it loses."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

import orjson

from ...config.prices import OwnPrice
from ...config.settings import load_settings
from ...core.history import repair_history
from ...decide.compacting import Rates, compare_policies, describe, render_policies
from ...errors import InputError
from ...providers.pricing import Prices
from ...replay.sources.conversations import Conversation, split_turns
from ...replay.sources.openai_format import number_lines, parse_conversation, read_lines
from ...store.store import Store
from ...types import Usage
from ..replay.files import open_source
from ..replay.threads import Selection, choose_places, pick, select_threads
from ..terminal import output
from ..terminal.opening import open_store
from .files import write_file


async def plan_compacting(
    source: Path | None, selection: Selection, model: str | None, target: Path | None
) -> None:
    """selection: of stored threads; of a file only its sample counts."""
    settings = load_settings()
    rates = find_rates(model, settings.prices) if model else Rates()
    sizes = (settings.limits.window_tokens, settings.limits.tool_result_tokens)
    if source is not None:
        with open_source(source) as path:
            found = compare_policies(_read_file(path, selection), *sizes)
    else:
        async with open_store(settings) as store:
            threads = [item async for item in _load_threads(store, selection)]
        found = compare_policies(threads, *sizes)
    for line in render_policies(found, rates):
        output.write_line(line)
    write_file(target, orjson.dumps(describe(found, rates), option=orjson.OPT_INDENT_2) + b"\n")


def find_rates(model: str, own: Mapping[str, OwnPrice]) -> Rates:
    """At the operator's prices, else the public list's. Raises: InputError for one without."""
    provider, _, name = model.partition(":")
    prices = Prices(own)
    million = 1_000_000
    usages = (
        Usage(input_tokens=million, output_tokens=0),
        Usage(input_tokens=0, output_tokens=0, cache_write_tokens=million),
        Usage(input_tokens=0, output_tokens=0, cache_read_tokens=million),
    )
    plain, write, read = (prices.price(provider, name, usage).amount for usage in usages)
    if plain is None:
        raise InputError(f"the price of {model} is not known", hint='[prices."provider:model"]')
    # A list without a price for writing charges the plain one.
    dearest = max(plain, write or plain)
    return Rates(float(dearest) / million, float(plain if read is None else read) / million, "USD")


def _read_file(path: Path, selection: Selection) -> Iterator[Conversation]:
    with path.open("rb") as lines:
        count = sum(1 for _ in number_lines(read_lines(lines)))
    if not count:
        raise InputError("there is no conversation in the file")
    chosen = choose_places(count, selection.sample, selection.seed)
    with path.open("rb") as lines:
        for number, line in pick(number_lines(read_lines(lines)), chosen):
            yield parse_conversation(line, number, repair=True)


async def _load_threads(store: Store, selection: Selection) -> AsyncIterator[Conversation]:
    for thread_id in await select_threads(store, selection):
        messages, _ = repair_history(await store.load_messages(selection.tenant_id, thread_id))
        first = next(
            (n for n, item in enumerate(messages) if item["role"] == "user"), len(messages)
        )
        yield Conversation(thread_id, "", split_turns(messages[first:]), tuple(messages[:first]))
