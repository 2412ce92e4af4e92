"""What befalls a process in the middle of a run, and the client who follows it over another."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tests.crash.conftest import Scene
from tests.crash.replicas import PATIENCE_S, Client

FATES: Final = ("restarts", "another", "stopped")
# AGENT_CRASH_CELLS=all: every one of them.
IS_WHOLE: Final = os.environ.get("AGENT_CRASH_CELLS") == "all"


def choose_fates(place: int) -> tuple[str, ...]:
    """All fates; or one of them by turns, so that each meets every kind of cell."""
    return FATES if IS_WHOLE else (FATES[place % len(FATES)],)


@contextmanager
def naming(*cell: str) -> Iterator[None]:
    """An error says in which cell it was."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"cell: {', '.join(cell)}")
        raise


async def strike(
    scene: Scene, boundary: str, fate: str, asked: str, codes: tuple[str, str] = ("", "")
) -> Client:
    """Run the message to its end, over a process that stands still at the boundary and is killed or
    stopped there. codes: of that process, and of the other one.
    """
    old, new = ({"CODE": code} if code else {} for code in codes)
    replicas = scene.replicas
    first = await replicas.start("first", boundary, **old)
    run_id = await first.submit(await scene.create_thread(), asked, "key")
    client = Client(run_id)
    watching = asyncio.create_task(client.follow(first))
    await first.wait_for("reached")
    second = await replicas.start("second", **new) if fate == "another" else None
    if fate == "stopped":
        first.stop()
        watching.cancel()
    else:
        first.kill()
        await watching
    second = second or await replicas.start("second", **new)
    await asyncio.wait_for(client.follow_to_end(second), PATIENCE_S)

    if fate == "stopped":
        first.go_on()
        first.ask("drain", grace_s=60.0)
        await first.wait_for("drained")
    return client
