"""Runs keep by which code they began; a starting service does not wait for its digests."""

from __future__ import annotations

import argparse
import asyncio
import dis
import inspect
import re
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from threading import Timer
from types import CodeType, ModuleType
from weakref import WeakKeyDictionary

import pytest

from plainloop.agent.base.text.patterns import compile_lazily
from plainloop.agent.config.settings import Settings
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.packs.code_digest import digest_functions, read_steps
from plainloop.agent.packs.code_parts import NamedParts, digest_parts, name_parts
from plainloop.agent.service import opening
from plainloop.agent.service.opening import open_service
from plainloop.agent.service.runs import RunHost
from plainloop.agent.store.recordings import load_code_parts
from plainloop.agent.store.store import Store
from plainloop.agent.types import RunRequest


async def test_the_first_run_stores_the_code_version(settings: Settings, store: Store) -> None:
    async with open_service(settings) as service:
        thread = await service.ensure_thread("acme", "ann", None, "test")
        start = service.make_start(thread, RunRequest("hello"))
    today = digest_parts(service.packs, settings)
    assert start.parts_name == name_parts(today)
    assert await load_code_parts(store.read("acme"), name_parts(today)) == today


async def test_storing_the_code_version_delays_no_other_run(
    settings: Settings, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    digesting = Future[NamedParts]()
    monkeypatch.setattr(opening, "start_digest", lambda *_, **__: digesting)
    async with open_service(settings) as service:
        host = RunHost(service)
        thread = await service.ensure_thread("acme", "ann", None, "test")
        parts = digest_parts(service.packs, settings)
        named = (name_parts(parts), parts)
        rescue = Timer(20, digesting.set_result, [named])  # where the loop itself waits
        rescue.start()
        sent = asyncio.create_task(
            host.submit("acme", "ann", thread.thread_id, RunRequest("hello"))
        )
        for _ in range(5):
            assert await store.read("acme").fetchval("select 1") == 1
        rescue.cancel()
        assert not digesting.done()
        assert not sent.done()

        digesting.set_result(named)
        ticket = await sent
        assert [event async for event in host.watch("acme", "ann", ticket.run_id)]
        await host.drain(5.0)


PATTERN = compile_lazily(r"[a-z]+")
REMEMBERED: WeakKeyDictionary[asyncio.AbstractEventLoop, list[str]] = WeakKeyDictionary()


def find_word(text: str) -> str:
    match = PATTERN.search(text)
    return match[0] if match else ""


def take_turn(loop: asyncio.AbstractEventLoop) -> list[str]:
    return REMEMBERED.setdefault(loop, [])


def test_the_code_digest_ignores_event_loop_state() -> None:
    roots = (__name__.partition(".")[0],)
    before = digest_functions([take_turn], roots)
    loops = [asyncio.new_event_loop(), asyncio.new_event_loop()]
    for loop in loops:
        take_turn(loop).append("a turn")
    assert digest_functions([take_turn], roots) == before
    for loop in loops:
        loop.close()


def test_first_use_of_a_dataclass_keeps_its_code_digest() -> None:
    @dataclass(frozen=True, slots=True)
    class Place:
        """A place."""

        name: str

    before = digest_functions([Place], [__name__.partition(".")[0]])
    assert Place("Bonn") == Place("Bonn")
    assert digest_functions([Place], [__name__.partition(".")[0]]) == before


def list_code(code: CodeType) -> Iterator[CodeType]:
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from list_code(value)


@pytest.mark.parametrize("module", [dis, inspect, asyncio.base_events, argparse])
def test_instructions_are_those_that_dis_reads(module: ModuleType) -> None:
    whole = compile(inspect.getsource(module), module.__name__, "exec")
    counted = 0
    for code in list_code(whole):
        stated = [
            item
            for item in dis.get_instructions(code)
            if item.opname not in ("EXTENDED_ARG", "NOP", "CACHE", "RESUME")
        ]
        places = {item.offset: n for n, item in enumerate(stated)}
        steps = [step for step in read_steps(code) if step[0] != "handles"]
        assert [opname for opname, _, _ in steps] == [item.opname for item in stated]
        for (opname, kind, value), item in zip(steps, stated, strict=True):
            if kind in ("name", "code") or (kind == "constant" and value is not None):
                # Python 3.11 does not look up the names of keyword arguments.
                stated_value = (
                    code.co_consts[item.arg or 0] if opname == "KW_NAMES" else item.argval
                )
                assert value == stated_value, opname
            elif item.opcode in (*dis.hasjrel, *dis.hasjabs) and item.argval in places:
                assert value == places[item.argval], opname
            elif item.arg is not None and item.opcode not in (*dis.hasjrel, *dis.hasjabs):
                assert kind == "constant" or value == item.arg, opname
            counted += 1
    assert counted > 1_000


def test_compiling_a_pattern_later_keeps_its_code_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    def digest(pattern: re.Pattern[str]) -> str:
        monkeypatch.setattr(sys.modules[__name__], "PATTERN", pattern)
        return digest_functions([find_word], (__name__.partition(".")[0],))

    lazy = compile_lazily(r"[a-z]+", re.IGNORECASE)
    unused = digest(lazy)
    assert find_word("42 Words") == "Words"
    assert unused == digest(lazy) == digest(re.compile(r"[a-z]+", re.IGNORECASE))
    assert unused != digest(compile_lazily(r"[a-z]+"))


class Unbound:
    """Behaves like a web framework's proxy of the current request."""

    def __getattr__(self, name: str) -> object:
        raise RuntimeError("working outside of a request")


REQUEST = Unbound()


def read_request() -> object:
    return REQUEST


def test_a_packs_object_that_refuses_to_be_read_has_a_digest() -> None:
    assert digest_functions([read_request], (__name__.partition(".")[0],))


HELP = f"/remember {'and so on, ' * 30}"


def read_help() -> str:
    return HELP


def test_a_packs_long_text_that_begins_with_a_slash_has_a_digest() -> None:
    assert digest_functions([read_help], (__name__.partition(".")[0],))
