"""Every cache of the service and its packages is bounded in bytes, whatever texts users send."""

from __future__ import annotations

import ast
import gc
import os
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from plainloop.agent.base.caching.bounded import MAX_BYTES, BoundedCache, clear_caches
from plainloop.agent.base.caching.functions import cached_by_bytes
from plainloop.agent.base.messages import requests
from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.base.text import secrets, tables
from plainloop.agent.base.tokens import estimate as tokens
from plainloop.agent.core import history, spec
from plainloop.agent.designs import default
from plainloop.agent.providers import lifetimes, room, shown_thinking
from plainloop.agent.providers.defaults import CacheOffer, Quirks
from plainloop.agent.providers.http import clients, json_schema
from plainloop.agent.providers.http.endpoints import Endpoint
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.providers.openai import caching
from plainloop.agent.providers.pricing import LIST_PRICES
from plainloop.agent.providers.provider_state import Target
from plainloop.agent.providers.reading import answer_reader
from plainloop.agent.routers import triage
from plainloop.agent.store import ledger
from plainloop.agent.types import ChatRequest, JsonSchema, LLMResponse, ToolSchema, Usage
from plainloop.server.auth import origins

pytest.importorskip("plainloop_careers")

from plainloop_careers.letters.grounding import numbers
from plainloop_careers.letters.grounding import words as grounding_words
from plainloop_lab.decide import checks, proofs
from plainloop_rules import tokens as words_of_sentences
from plainloop_rules.language import ENGLISH
from plainloop_rules.offline.brain import sentence, words
from plainloop_wire import strict
from tests.machine.notes_pack import make_pack
from tests.test_layers import parse_file

ROOT = Path(__file__).parents[1]
HOMES = {"agent": "plainloop.agent", "server": "plainloop.server", "plainloop": "plainloop"} | {
    str(path.relative_to(ROOT)): path.name for path in ROOT.glob("packages/*/plainloop_*")
}
LARGEST = 3_400_000  # characters of a text file within `limits.file_bytes`
# Where fewer are more than a cache may keep already, and as many take minutes.
FILE_CHARS = int(os.environ.get("PLAINLOOP_CACHED_CHARS", "1_500_000"))
NAME_CHARS = min(700_000, FILE_CHARS)  # of a name in a body
TIMES = 8  # so many names, and half as many files, are more than a cache may keep
LEEWAY = 2**20

# Caches that count entries: their arguments are few, and no user's text.
FEW_ARGUMENTS = {
    "agent.base.copies:_open_class": "classes of our records",
    "agent.config.installed:_read_all": "no argument",
    "agent.config.installed:find_entries": "groups of entry points",
    "agent.config.sources:list_rows": "classes of settings",
    "agent.core.routes:read_hints": "handlers of routes",
    "agent.designs.base:_list_missing": "classes of the chosen design",
    "agent.designs.base:_list_packages": "our own folder",
    "agent.designs.react:read_prompt": "no argument",
    "agent.evaluators._base_evaluator:_read_prompt": "no argument",
    "server.protocols.agents:_map_names": "names that settings give",
    "plainloop_rules.offline.rules:_load_rules": "how many packs are loaded",
    "agent.intents.rules:load_rules": "no argument",
    "agent.outbound.guarded:load_tls": "no argument",
    "agent.packs.code_digest:read_steps": "code of functions that are loaded",
    "agent.packs.shapes:_read_hints": "classes of specs",
    "agent.providers.defaults:_compile": "patterns of our own tables",
    "agent.providers.defaults:quirks_for": "models and addresses that settings name",
    "agent.providers.endings:_read_list": "no argument",
    "agent.providers.http.clients:_load_tls": "no argument",
    "agent.providers.pricing:load_prices": "no argument",
    "agent.providers.room:_find_listed_window": "models that settings name",
    "plainloop_lab.replay.report.digests:digest_files": "folders of packs",
    "agent.providers.pricing:_find_rates": "models of the price list",
    "agent.providers.pricing:_is_listed": "names of _LONGEST_NAME characters at most",
    "agent.providers.pricing:_price_unlisted": "models of the price list",
    "agent.routers.triage:_read_prompt": "our own files",
    "plainloop_lab.advise.preparing:count_alone": "roles, and the margins that are offered",
    "plainloop_lab.selection.choosing:_load_once": "files that settings name",
    "agent.store.leases:_make_host": "no argument",
    "agent.types:_make_plain": "classes of our records",
    "plainloop_importing.files:copy_stdin": "no argument",
    "agent.store.older:read_older": "the archive's own files",
    "agent.store.sql_blocks:load_sql": "our own files",
    "server.console.serving:_compress": "our own files, and packs'",
    "plainloop_frontends.mcp.resources:_to_pattern": "paths of routes",
    "server.http.reading:_list_times": "classes of bodies",
    "server.http.reading:describe_struct": "classes of bodies",
    "plainloop_careers.files:load_data": "our own files",
    "plainloop_careers.jobs.imports:load_labels": "no argument",
    "plainloop_careers.jobs.pasted:_compile": "our own files",
    "plainloop_careers.jobs.pasted:_load_countries": "no argument",
    "plainloop_documents.reading.pay:_compile_lexer": "no argument",
    "plainloop_careers.letters.grounding.words:_load_groups": "our own files",
    "plainloop_careers.letters.grounding.words:load_countries": "no argument",
    "plainloop_careers.resumes.homes:_load_codes": "no argument",
    "plainloop_careers.letters.grounding.words:load_phrases": "our own files",
    "plainloop_careers.letters.grounding.words:load_words": "our own files",
    "plainloop_careers.offline.grammar:_compile_courtesy": "the grammar's languages",
    "plainloop_careers.offline.grammar:_list_forms": "the grammar's languages",
    "plainloop_careers.offline.grammar:_list_words": "the grammar's languages",
    "plainloop_documents.reading.dates:_parse_short": "100 characters, in a child process",
    "plainloop_documents.reading.months:_find_mark": "words of 16 letters",
    "plainloop_documents.reading.months:_load_beginnings": "no argument",
    "plainloop_documents.reading.months:_load_names": "no argument",
    "plainloop_documents.writing.fonts:find_system_fonts": "no argument",
    "plainloop_documents.writing.fonts:load_font": "files of the system, and a setting's",
    "plainloop_lab.comparing.judge:read_prompt": "no argument",
    "plainloop_lab.decide.checks:_load_function": "functions that the operator's rules name",
    "plainloop_lab.report.live_page:load_templates": "no argument",
    "plainloop_wire.api:load_api": "the wires",
    "plainloop_wire.rules:load_rules": "no argument",
}
# Dicts, lists and sets at module level that begin empty.
CONTAINERS = {
    "agent.base.caching.bounded:_caches": "one function a cache",
    "agent.base.text.secrets:_known": "secrets of the settings",
    "agent.base.text.secrets:_passing": "MAX_PASSING of LONGEST_PASSING characters",
    "agent.core.budget_notices:_sending": "tasks that remove themselves",
    "agent.core.observing:_observers": "added at the start",
    "agent.packs.loaded:LOADED": "one entry a pack",
    "agent.providers.http.clients:_by_loop": "one entry an event loop, MAX_CLIENTS in each",
    "agent.providers.http.clients:_loads": "one entry an event loop",
    "agent.store.embedded.server:_used": "one entry a data directory",
    "agent.store.outages:_outages": "one entry a pool",
    "plainloop_documents.process:_turns": "one entry an event loop",
    "plainloop_langgraph.runs:_STOPPING": "tasks that remove themselves",
    "server.http.silence:_silences": "one entry an event loop",
}
CONTAINER_CALLS = {"dict", "list", "set", "OrderedDict", "defaultdict", "deque", "Counter"}
CONTAINER_CALLS |= {"WeakKeyDictionary", "WeakValueDictionary", "WeakSet"}
BOUNDED = {"cached_by_bytes", "cached_by_identity", "cached_if_short", "BoundedCache"}


def large(n: int, chars: int = FILE_CHARS) -> str:
    """A file's text that no other call sends."""
    return f"{n} " + "lorem ipsum " * (chars // 12)


def name_of(n: int) -> str:
    return large(n)[:NAME_CHARS]


def tools(n: int) -> tuple[ToolSchema, ...]:
    return tuple(ToolSchema(f"tool_{n}_{i}", large(n)[: FILE_CHARS // 4], {}) for i in range(4))


# How each bounded cache is filled with the largest that limits let through.
FILLS: dict[str, Callable[[int], Any]] = {
    "agent.base.messages.requests:_hash_head": lambda n: requests._hash_head(large(n), large(-n)),
    "agent.base.messages.requests:_write_tools": lambda n: requests._write_tools(tools(n)),
    "agent.base.messages.requests:_write_visible": lambda n: requests._write_visible(
        make_text_message("user", large(n))
    ),
    "agent.base.text.tables:compact_json": lambda n: tables.compact_json(
        orjson.dumps([{"n": n, "text": large(n)}] * 2).decode()
    ),
    "agent.base.tokens.estimate:_sizes": lambda n: tokens.estimate_tokens(large(n)),
    "agent.core.history:_keep_parts": lambda n: history._keep_parts(
        make_text_message("user", large(n, LARGEST))
    ),
    "agent.core.history:to_valid_name": lambda n: history.to_valid_name(large(n)),
    "agent.core.spec:_contexts": lambda n: spec.build_schema_context(make_pack().entities * 1000),
    "agent.providers.http.json_schema:close_schema": lambda n: json_schema.close_schema(
        JsonSchema("answer", {"properties": {large(n): {"type": "string"}}})
    ),
    "agent.designs.default:_build_once": lambda n: default._build_once(make_pack()),
    "plainloop_rules.tokens:_split_contraction": lambda n: words_of_sentences._split_contraction(
        large(n), ENGLISH
    ),
    "plainloop_rules.offline.brain.sentence:_compile_allowed": lambda n: sentence._compile_allowed(
        name_of(n)
    ),
    "plainloop_rules.offline.brain.sentence:_compile_forms": lambda n: sentence._compile_forms(
        name_of(n), ()
    ),
    "plainloop_rules.offline.brain.sentence:list_nouns": lambda n: sentence.list_nouns(name_of(n)),
    "plainloop_rules.offline.brain.words:stem": lambda n: words.stem(large(n)),
    "agent.providers.lifetimes:_read_costs": lambda n: lifetimes._read_costs(
        LIST_PRICES, "openai", name_of(n), OFFER, 0
    ),
    "agent.providers.openai.caching:_write_tools": lambda n: caching._write_tools(tools(n)),
    "agent.providers.reading.answer_reader:_seen_headless": lambda n: answer_reader.split_thoughts(
        LLMResponse(make_text_message("assistant", "hi"), "end", Usage(), "m"),
        ModelHandle("openai", name_of(n), None),  # pyright: ignore[reportArgumentType]
    ),
    "agent.providers.room:_learnt": lambda n: room.keep_room(
        ModelHandle("openai", name_of(n), None),  # pyright: ignore[reportArgumentType]
        1_000,
    ),
    "agent.providers.shown_thinking:_refused": lambda n: shown_thinking.remember_refusal(
        Target("openai", name_of(n), Quirks())
    ),
    "agent.routers.triage:_read_pack": lambda n: triage._read_pack(make_pack()),
    "agent.routers.triage:_write_triage": lambda n: triage._write_triage("{workers}", large(n), ""),
    "agent.store.ledger:hash_prompt_text": lambda n: ledger.hash_prompt_text(large(n)),
    "server.auth.origins:get_host_name": lambda n: origins.get_host_name(
        large(n, 2**16)  # a header is shorter; urlsplit keeps the newest texts itself
    ),
    "server.auth.origins:is_loopback": lambda n: origins.is_loopback(large(n)),
    "plainloop_careers.letters.grounding.numbers:find_numbers": lambda n: numbers.find_numbers(
        large(n)
    ),
    "plainloop_careers.letters.grounding.words:to_stem": lambda n: grounding_words.to_stem(
        large(n)
    ),
    "plainloop_lab.decide.checks:_make_validator": lambda n: checks._make_validator(
        orjson.dumps({"description": large(n)})
    ),
    "plainloop_lab.decide.proofs:_multiply_flips": lambda n: proofs._multiply_flips(
        ((n + 2, 1000),), 1000
    ),
    "plainloop_wire.strict:_check_schema": lambda n: strict._check_schema(
        orjson.dumps({"description": large(n)}), False
    ),
}
OFFER = CacheOffer(".*", "5m", 300, "1h", 3600)


def list_modules() -> Iterator[tuple[str, Path]]:
    for top in HOMES:
        for path in (ROOT / top).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[2:] if parts[0] == "packages" else parts)
            if "template" not in parts:
                yield name.removesuffix(".__init__"), path


def is_named(node: ast.expr, names: set[str]) -> bool:
    """Whether a decorator or a call is by one of these names."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return (node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")) in names


def list_definitions(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Each module-level name with its value, and each function with its decorators."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from ((node.name, item) for item in node.decorator_list)
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            yield ast.unparse(target), node.value


def find_caches(names: set[str]) -> set[str]:
    return {
        f"{module}:{name}"
        for module, path in list_modules()
        if not module.startswith("agent.base.caching")
        for name, value in list_definitions(parse_file(path))
        if is_named(value, names)
    }


def test_caches_bounded_by_entries_have_few_possible_arguments():
    # Each of both kinds is bounded where it stands: short texts, and one document of ours.
    beside = {"agent.base.tokens.estimate:_count_short", "server.pages:make"}

    assert find_caches({"lru_cache", "cache"}) - beside == set(FEW_ARGUMENTS)


def test_each_cache_has_a_limit_in_bytes():
    assert find_caches(BOUNDED) == set(FILLS)


def test_module_level_collections_are_bounded():
    found = {
        f"{module}:{name}"
        for module, path in list_modules()
        for name, value in list_definitions(parse_file(path))
        if (isinstance(value, ast.Dict) and not value.keys)
        or (isinstance(value, ast.List) and not value.elts)
        or (
            isinstance(value, ast.Call)
            and is_named(value, CONTAINER_CALLS)
            and not value.args
            and not value.keywords
        )
    }

    assert found == set(CONTAINERS)


def measure_kept(fill: Callable[[int], Any], times: int) -> int:
    """Bytes that are still there after so many calls, each with other arguments."""
    fill(-1)  # what it imports and compiles is no cache
    clear_caches()
    gc.collect()
    tracemalloc.start()
    try:
        for n in range(times):
            fill(n)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
        clear_caches()


@pytest.mark.parametrize("name", sorted(FILLS))
def test_the_largest_texts_leave_little_memory_in_use(name: str):
    takes_names = "name_of" in FILLS[name].__code__.co_names
    kept = measure_kept(FILLS[name], TIMES if takes_names else TIMES // 2)

    assert kept < MAX_BYTES + LEEWAY


def test_messages_with_files_leave_little_memory_in_use():
    def ask(n: int) -> None:
        message = make_text_message("user", large(n, LARGEST))
        requests.fingerprint_request(ChatRequest(large(-n), [message], tools(n)), "tools")
        requests.estimate_input(ChatRequest("", [message]), large(n + 1000))
        history.build_request_messages([message])

    assert measure_kept(ask, 6) < 2 * MAX_BYTES


@pytest.mark.parametrize(("chars", "count"), [(60, 500), (900, 200), (20_000, 30)])
def test_caches_of_many_short_texts_are_bounded(chars: int, count: int):
    def fill(n: int) -> None:
        for i in range(count):
            text = f"{n} {i} ".ljust(chars, "\U0001f600")
            tokens.estimate_tokens(text)
            tables.compact_json(text)
            ledger.hash_prompt_text(text)
            requests._write_visible(make_text_message("user", text))

    assert measure_kept(fill, 6) < 6 * MAX_BYTES  # 14 MB were put into each with the longest


def test_a_cache_keeps_its_bound_and_drops_the_oldest():
    cache = BoundedCache(10_000)
    for n in range(100):
        cache.put(n, str(n), 300)
    cache.put("large", "x", 5_000)

    assert cache.size_bytes <= 10_000
    assert cache.get(99) == ("99", 500)
    assert (cache.get(0), cache.get("large")) == (None, None)
    cache.put(99, "other", 300)
    assert cache.get(99) == ("other", 500)
    assert cache.size_bytes <= 10_000
    cache.put(99, "too large to be kept", 5_000)
    assert cache.get(99) is None, "its old value would be a wrong answer"


def test_a_key_that_a_user_tried_is_redacted_and_not_cached_forever():
    for n in range(1000):
        secrets.remember_secret(f"tried-by-a-user-{n}", is_passing=True)
    secrets.remember_secret("x" * 1_000_000, is_passing=True)

    assert secrets.cut_keys("it was tried-by-a-user-999.") == f"it was {secrets.CUT}."
    assert len(secrets._passing) == secrets.MAX_PASSING
    assert all(len(item) <= secrets.LONGEST_PASSING for item in secrets._passing)


async def test_clients_kept_for_many_api_keys_are_bounded():
    kept = clients._open_loop_clients().sdk
    for n in range(2 * clients.MAX_CLIENTS):
        clients._keep_client("openai", Endpoint("http://127.0.0.1", f"key-{n}"), object)
        clients._keep_client("openai", Endpoint("http://127.0.0.1", "the operator's"), object)

    assert len(kept) == clients.MAX_CLIENTS
    assert ("openai", "http://127.0.0.1", "the operator's", None) in kept
    await clients.close_clients()


def test_erasing_empties_every_cache_of_texts():
    def fill(n: int) -> None:
        for text in (f"{n} a short one of a user who is erased", large(n)[:100_000]):
            tokens.estimate_tokens(text)
            tables.compact_json(f'[{{"a": "{text}"}}, {{"a": "{text}"}}]')
            requests._write_visible(make_text_message("user", text))

    fill(1)
    clear_caches()

    assert tokens._count_short.cache_info().currsize == 0
    assert tokens._sizes.size_bytes == 0


def test_a_cache_distinguishes_calls_by_their_keyword_arguments():
    join = cached_by_bytes()(lambda text, end=".": text + end)

    assert [join("a"), join("a", end="!"), join("a")] == ["a.", "a!", "a."]
