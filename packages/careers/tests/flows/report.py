"""What each of the six turns costs on each wire: model calls, input tokens, those from cache.

python -m packages.careers.tests.flows.report [WIRE …]
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from packages.careers.tests.flows.playing import play
from packages.careers.tests.flows.turns import PLAIN
from plainloop.agent.config.settings import load_settings
from plainloop.agent.offline.brain import brain
from plainloop.agent.service.opening import open_service
from plainloop.agent.store.embedded.server import stop_embedded
from plainloop.agent.store.records import CallInfo
from plainloop_wire.app import make_app
from plainloop_wire.serving import WIRES, build_environ, serve_wire


async def report(wires: Sequence[str], folder: Path) -> None:
    print("model calls / input tokens (of them from the provider's cache)")
    print(f"{'':62}" + "".join(f"{wire:>28}" for wire in wires))
    columns = [await play_wire(wire, folder) for wire in wires]
    for i, asked in enumerate(PLAIN):
        print(f"{asked:62}" + "".join(f"{describe_cost(calls[i]):>28}" for calls in columns))
    totals = [[call for turn in calls for call in turn] for calls in columns]
    print(f"{'all six':62}" + "".join(f"{describe_cost(calls):>28}" for calls in totals))


async def play_wire(wire: str, folder: Path) -> list[list[CallInfo]]:
    async with AsyncExitStack() as stack:
        environ = {"AGENT_PROVIDER": "offline"}
        if wire != "offline":
            base_url = await stack.enter_async_context(serve_wire(make_app(brain)))
            environ = build_environ(wire, base_url)
        settings = load_settings({"AGENT_DATA_DIR": str(folder), **environ})
        service = await stack.enter_async_context(open_service(settings))
        return (await play(service, wire, PLAIN)).calls


def describe_cost(calls: Sequence[CallInfo]) -> str:
    """`3 / 2,455 (167 cached)`: model calls, input tokens, those of them from cache."""
    sent = sum(call.usage.input_total or 0 for call in calls)
    cached = sum(call.usage.cache_read_tokens or 0 for call in calls)
    return f"{len(calls)} / {sent:,} ({cached:,} cached)"


def main(wires: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="plainloop-flows-") as folder:
        try:
            asyncio.run(report(wires or ("offline", *WIRES), Path(folder)))
        finally:
            stop_embedded(Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
