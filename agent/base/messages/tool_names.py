"""Resolves tool names that models wrote nearly right, and suggests one otherwise. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from difflib import SequenceMatcher
from typing import Any, Final, Literal

Effect = Literal["read", "write", "external"]

_INDEX: Final = re.compile(r":\d+$")  # Kimi's ids are NAME:INDEX, and some servers send them as it
# Channel marks, whole or half, and what no name has: quotes, brackets, `to=`, arrows.
_PIECES: Final = re.compile(r"<\|[^|<>]{0,40}\|?>|<[^|<>=]{1,40}\|>|[^\w:./-]+")
_SEPARATORS: Final = re.compile(r"__|[:./]")
_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# The strength of what a name asks for, by its first known verb.
_VERBS: Final[tuple[str, ...]] = (
    "browse check count describe fetch find get list load lookup open query read scan search show "
    "view",
    "add append archive change create edit insert mark modify move new patch put record rename "
    "replace restore save set unarchive undelete undo update upsert write",
    "cancel clear del delete destroy drop erase purge remove reset rm wipe",
    "book buy call charge email invite notify order pay post publish send share submit transfer",
)
_STRENGTHS: Final = {verb: rank for rank, words in enumerate(_VERBS) for verb in words.split()}
_READ, _WRITE, _DELETE, _EXTERNAL = range(4)
_LONGEST_CHARS: Final = 200  # of a called name that is compared with others
_NEAR: Final = 0.6  # similarity from which a name may be meant
_SAME_WORD: Final = 0.75  # similarity from which an unknown verb is a misspelt one


def resolve_name(called: str, names: Collection[str]) -> str | None:
    """Find the known tool that a called name means after stray prefixes and marks are removed.

    None: no name fits, or several do. Case and word order are not guessed.
    Source: openclaw #34294, maki #505, tiles #162, bytedance/trae-agent #165.

    >>> tools = ("create_job", "list_jobs")
    >>> resolve_name("functions.create_job", tools), resolve_name("createJob", tools)
    ('create_job', None)
    >>> resolve_name("<|channel|>commentary to=functions.create_job:0", tools)
    'create_job'
    """
    if called in names:
        return called
    matches: set[str] = set()
    longest = max(map(len, names), default=0) + 2  # a name with the separator before it
    for whole in _PIECES.split(called):
        # Search only the end for a known name: a model may also "call" 32,000 characters.
        piece = _INDEX.sub("", whole)[-longest:].rstrip(".:")
        ends = [piece, *(piece[mark.end() :] for mark in _SEPARATORS.finditer(piece))]
        matches.update(end for end in ends if end in names)
    return matches.pop() if len(matches) == 1 else None


def suggest_tool(called: str, effects: Mapping[str, Effect]) -> dict[str, Any]:
    """Build the error result for a call to an unknown tool, with the tool it probably meant.

    effects: the tools that it may call. None is suggested that does more than the name asks for:
    "get_jobs" never leads to "delete_jobs".

    >>> suggest_tool("jobs.list", {"list_jobs": "read", "delete_jobs": "write"})
    {'did_you_mean': 'list_jobs'}
    >>> suggest_tool("find_jobs", {"delete_jobs": "write", "send_jobs": "external"})
    {'available': ['delete_jobs', 'send_jobs']}
    """
    called = called[:_LONGEST_CHARS]
    weak = [name for name, effect in effects.items() if is_no_stronger(name, effect, called)]
    near = max(weak, key=lambda name: _compare(called, name), default=None)
    if near is None or _compare(called, near) < _NEAR:
        return {"available": sorted(effects)}
    return {"did_you_mean": near}


def is_no_stronger(name: str, effect: Effect, called: str) -> bool:
    """Whether a tool does no more than the verb in the called name says."""
    if effect == "read":
        return True
    strength = _EXTERNAL if effect == "external" else _find_strength(name, _DELETE, _WRITE)
    called_strength = _find_strength(called, None)
    if called_strength is not None:
        # Nor something else: "remove_job" does not ask for "create_job".
        return strength == called_strength
    # No known verb: perhaps the tool's own, misspelt.
    own = next((word for word in _split(name) if word in _STRENGTHS), "")
    return any(SequenceMatcher(None, word, own).ratio() >= _SAME_WORD for word in _split(called))


def _find_strength(name: str, unknown: Any, least: int = _READ) -> Any:
    """Return the strength of a name's first known verb, at least `least`; else `unknown`."""
    known = next((_STRENGTHS[word] for word in _split(name) if word in _STRENGTHS), unknown)
    return known if known is None else max(known, least)


def _compare(called: str, name: str) -> float:
    """Return the similarity (0 to 1) of two tool names, ignoring case and the order of words."""
    if called == name:
        return 1.0
    mine, other = _split(called), _split(name)
    pairs = (("".join(mine), "".join(other)), ("".join(sorted(mine)), "".join(sorted(other))))
    return max(SequenceMatcher(None, *pair).ratio() for pair in pairs)


def _split(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name)]
