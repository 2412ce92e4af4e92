"""Digests the code and settings that replays do not execute: see `docs/replay.md`.

Each run stores the digests as of its start, so that a replay can report changed code of which it
used only the recorded results.
"""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import orjson

from ..config.pack_parts import list_extensions, to_module_name
from ..config.settings import RoleSettings, Settings
from ..core.spec import EntitySpec, Pack, WorkerSpec
from .code_digest import PYTHON, digest_functions, digest_modules, digest_text, get_root
from .prompts import list_workers

# By key: the group, "/", the part's name. The groups that are no pack's begin with a dot.
Parts = Mapping[str, str]
NamedParts = tuple[str, dict[str, str]]  # of `name_parts`, and the parts
OF_ENGINE: Final = ".engine/"
OF_SETTINGS: Final = ".settings/"
PYTHON_KEY: Final = ".python/version"
_MODULES: Final[Mapping[str, tuple[str, ...]]] = {
    "fast paths": ("routers.fast_paths", "intents.queries"),
    "retries of model calls": ("core.llm", "core.attempts"),
    "shape of tool results": ("core.results", "core.tools"),
    "what triage remembers": ("intents.remembered.memory", "intents.remembered.templates"),
}
_COMMENT: Final = re.compile(r"^ *#.*\n", re.MULTILINE)
_PROVIDERS: Final = "what providers are sent and answer"
# Limits whose effect is part of what was recorded; the others hold in a replay as they are today.
_LIMITS: Final = (
    *("approval_s", "fetch_bytes", "fetch_timeout_s", "helper_depth", "helpers_per_run"),
    *("list_rows", "model_attempts", "model_timeout_s", "rate_wait_s", "run_timeout_s"),
    *("tool_result_tokens", "tool_timeout_s"),
)
# Told as another model, or nobody's but this machine's.
_NOT_OF_ROLES: Final = frozenset({"provider", "model", "api_key", "api_base", "route_table"})
_SHOWN: Final = ("tool ", "entity ")
# Of an entity: what the rules read sentences by is run.
_WORDS: Final = frozenset({"words", "own", "ambiguous", "translations", "reached"})


def digest_parts(packs: Iterable[Pack], settings: Settings) -> dict[str, str]:
    """Return digests of the code and settings that replays take from recordings, by part."""
    digests = {PYTHON_KEY: PYTHON, **digest_engine(), **list_settings(settings)}
    digests |= digest_tables(settings)
    for pack in packs:
        digests |= {f"{pack.name}/{name}": value for name, value in digest_pack(pack)}
    return digests


def name_parts(parts: Parts) -> str:
    """Combine the digests of all parts to a short name, which is stored with each run."""
    serialized = orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)
    # Eight characters, as each run's row has it: sixteen exceeded the bound of a turn's log.
    return urlsafe_b64encode(hashlib.blake2b(serialized, digest_size=6).digest()).decode()


def digest_named(packs: Iterable[Pack], settings: Settings) -> NamedParts:
    """Return (short name, digests by part), as `name_parts` and `digest_parts` make them."""
    parts = digest_parts(packs, settings)
    return name_parts(parts), parts


def digest_engine() -> dict[str, str]:
    """Return digests of the engine modules that replays skip, because results are recorded."""
    digests = {f"{OF_ENGINE}{name}": digest_modules(modules) for name, modules in _MODULES.items()}
    folder = Path(__file__).parents[1] / "providers"
    paths = (path for kind in ("*.py", "*.toml") for path in folder.rglob(kind))
    # Not compiled: most of them no process needs.
    texts = [_COMMENT.sub("", path.read_text(encoding="utf-8")) for path in sorted(paths)]
    digests[f"{OF_ENGINE}{_PROVIDERS}"] = digest_text("\n".join(texts))
    return digests


def list_settings(settings: Settings) -> dict[str, str]:
    """Map the settings that a replay takes from its recordings to their values."""
    listed: dict[str, Any] = {f"limits.{name}": getattr(settings.limits, name) for name in _LIMITS}
    listed["agent.remember"] = settings.agent.remember
    for role, own in settings.agents.items():
        names = (item.name for item in fields(RoleSettings) if item.name not in _NOT_OF_ROLES)
        listed |= {
            f"agents.{role}.{name}": value for name in names if (value := getattr(own, name))
        }
    return {f"{OF_SETTINGS}{name}": str(value) for name, value in listed.items()}


def digest_tables(settings: Settings) -> dict[str, str]:
    """Map the settings objects of served packs and extensions to digests of their values."""
    modules = (*map(to_module_name, settings.agent.packs), *list_extensions())
    roots = {module.partition(".")[0] for module in modules}
    own = ((kind, value) for kind, value in settings.tables.items() if get_root(kind) in roots)
    return {
        f"{OF_ENGINE}settings of {get_root(kind)} ({kind.__name__})": digest_functions([value], ())
        for kind, value in own
    }


def digest_pack(pack: Pack) -> Iterable[tuple[str, str]]:
    """Yield (name, digest) of each part of a pack's code, such as tools and prompts."""
    used = dict(list_functions(pack))
    roots = {to_module_name(name).partition(".")[0] for name in list_extensions()}
    roots |= {get_root(item) for functions in used.values() for item in functions}
    for name, functions in used.items():
        yield name, digest_functions(functions, roots)
    for entity in pack.entities:
        columns = repr([(name, repr(value)) for name, value in list_columns(entity)])
        yield (
            f"entity {entity.name}",
            digest_text(columns + digest_functions([entity.title], roots)),
        )


def list_functions(pack: Pack) -> Iterable[tuple[str, list[object]]]:
    """Yield (name, functions) for each part of a pack that replays take from recordings."""
    if pack.load_prompt_context is not None:
        yield "what prompts say of the user", [pack.load_prompt_context]
    for tool in pack.tools:
        if tool.source == "local":
            declared = (tool.effect, tool.is_keyed, tool.timeout_s, tool.outside, tool.secrets)
            yield f"tool {tool.name}", [tool.function, tool.ask, declared]
    for worker in list_workers(pack):
        yield from _list_of_worker(worker)


def _list_of_worker(worker: WorkerSpec) -> Iterable[tuple[str, list[object]]]:
    """Yield, by part, the worker's functions that a replay does not call."""
    if worker.check is not None:
        yield f"check of {worker.name}", [worker.check]
    if worker.accept is not None:
        yield f"what {worker.name} stores", [worker.accept]
    if (held := worker.interview) is not None:
        yield f"interview of {worker.name}", [held.list_missing, held.load_prompt, held.complete]


def list_columns(entity: EntitySpec) -> Iterable[tuple[str, object]]:
    """Yield (name, value) for each attribute of an entity that changes the queries on it."""
    for item in fields(EntitySpec):
        if item.name not in _WORDS and item.name not in ("fields", "title"):
            yield item.name, getattr(entity, item.name)
    for column in entity.fields:
        described = (f for f in fields(column) if f.name not in _WORDS and f.name != "values")
        yield column.name, [getattr(column, f.name) for f in described]
        yield f"{column.name} values", sorted(column.values)


def list_changes(then: Iterable[tuple[str, str]], today: Parts) -> list[str]:
    """Describe how today's code and settings differ from those of recorded runs, in lines.
    then: every part with each digest that runs began with; one without a name is of runs whose code
    is unknown.
    """
    known = _collect(then)
    unknown = "code that was not run: unknown for older runs, which did not record it"
    lines = [unknown] if "" in known else []
    known.pop("", None)
    if others := sorted(known.get(PYTHON_KEY, {PYTHON}) - {PYTHON}):
        change = f"the recordings are of Python {', '.join(others)}, this is {PYTHON}"
        return [*lines, f"code that was not run: not compared, because {change}"]
    changed = _find_changes(known, today)
    lines += [_say(keys, what) for what, keys in changed.items() if what != _SETTINGS]
    for key in changed[_SETTINGS]:
        was, now = known.get(key, {"unset"}), today.get(key, "unset")
        change = f"was {', '.join(sorted(was))}, is {now}"
        lines.append(f"the setting {key.removeprefix(OF_SETTINGS)}: {change}")
    return [line for line in lines if line]


def name_changes(then: Iterable[tuple[str, str]], today: Parts) -> list[str]:
    """List the names of the parts that differ from those of recorded runs.

    >>> name_changes([("shop/tool find", "a"), (".engine/rules", "a")], {"shop/tool find": "b"})
    ['engine code rules', 'shop code tool find']
    """
    known = _collect(then)
    known.pop("", None)
    if known.get(PYTHON_KEY, {PYTHON}) - {PYTHON}:
        return []
    keys = {key for changed in _find_changes(known, today).values() for key in changed}
    parted = sorted(key.removeprefix(".").partition("/") for key in keys)
    return [f"{group} code {name}" for group, _, name in parted]


def _collect(then: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Collect by part all digests that runs began with."""
    known: dict[str, set[str]] = {}
    for key, digest in then:
        known.setdefault(key, set()).add(digest)
    return known


_SETTINGS: Final = "settings"


def _find_changes(known: Mapping[str, set[str]], today: Parts) -> dict[str, list[str]]:
    """Find the changed parts by what has become of them."""
    groups = {f"{key.partition('/')[0]}/" for key in known} - {OF_SETTINGS}
    own = {key: value for key, value in today.items() if key.startswith(tuple(groups))}
    code = [key for key in known if not key.startswith(OF_SETTINGS) and key != PYTHON_KEY]
    # A tool or an entity that is new or gone is in requests, or nobody is told of it.
    counted = {key for key in (*code, *own) if not key.partition("/")[2].startswith(_SHOWN)}
    names = {key for key in (*known, *today) if key.startswith(OF_SETTINGS)} if known else ()
    return {
        "different today": [key for key in code if key in own and known[key] != {own[key]}],
        "no longer there": [key for key in code if key not in own and key in counted],
        "new since the recording": [
            key for key in own if key not in known and key in counted and key != PYTHON_KEY
        ],
        _SETTINGS: [
            key for key in sorted(names) if known.get(key, {"unset"}) != {today.get(key, "unset")}
        ],
    }


def _say(keys: Iterable[str], what: str) -> str:
    """Describe in one line what became of the code of these parts; "" for none.

    >>> _say(["shop/tool find_order", ".engine/fast paths"], "different today")
    'fast paths, tool find_order (shop): their code is different today'
    """
    named = [key.partition("/") for key in sorted(keys)]
    labels = [name if group.startswith(".") else f"{name} ({group})" for group, _, name in named]
    return (
        f"{', '.join(labels)}: {'its' if len(labels) == 1 else 'their'} code is {what}"
        if labels
        else ""
    )
