"""What packs teach the stand-in: words of their domain, and whole turns that it can play.

A pack's rules are learned when the pack is loaded, for the whole process: the stand-in also
answers behind the providers' formats, where nobody knows of runs and packs. They are asked for
when it first has to answer, since none of them is needed where a real model does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.packs.loaded import LOADED
from plainloop.agent.types import ChatRequest, ToolSchema

from .reading import Move, Reading


@dataclass(frozen=True, slots=True)
class TurnRule:
    """A rule by which a pack answers a turn in code, before the sentence is parsed."""

    is_mine: Callable[[Reading, tuple[ToolSchema, ...]], bool]
    choose: Callable[[Reading, ChatRequest], Move]
    reads_all: bool = False  # long texts are answers here, not requests with material


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The nearest supported sentence, form or command for a request; "" for missing parts."""

    sentence: str  # one that the rules understand
    form: str = ""  # the console's address of a form with what was recognised
    title: str = ""  # what the form is for
    command: str = ""  # of the terminal


@dataclass(frozen=True, slots=True, eq=False)
class OfflineRules:
    """A pack's rules for the offline provider. Patterns are regular expressions without case."""

    turns: tuple[TurnRule, ...] = ()
    # Answers in JSON mode by the properties that their schema must have.
    json_answers: Mapping[frozenset[str], Callable[[str], Any]] = field(
        default_factory=dict[frozenset[str], Callable[[str], Any]]
    )
    # Patterns of a sentence's parts. Named groups are parameters, and a form serves the tools that
    # have them all; one without groups says nothing more. "{name}" stands for a name's words.
    forms: tuple[str, ...] = ()
    # What a text begins with, as parameters, and how many characters of it that takes.
    read_values: Callable[[str], tuple[Mapping[str, Any], int]] | None = None
    nouns: Mapping[str, str] = field(default_factory=dict[str, str])  # a tool's noun → other words
    names: str = ""  # parameters whose values are names
    proper: str = ""  # those of them that are proper names, with capitals
    # A tool's name → the sentence that is understood, with capitals for what is to be filled in.
    sentences: Mapping[str, str] = field(default_factory=dict[str, str])
    # The nearest sentence, or form, for a request that is not understood; None: there is none.
    suggest: Callable[[str], Suggestion | None] | None = None
    # The English sentence of a request in a printed form of any language; another as it is.
    rephrase: Callable[[str], str] | None = None
    # What is printed for a word that asks for help, by that word.
    help: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    signals: Mapping[str, str] = field(default_factory=dict[str, str])  # pattern → concepts meant


def list_examples() -> list[str]:
    """List the packs' example sentences, in the order in which the packs were loaded."""
    return [example for pack in LOADED.values() for example in pack.examples]


def get_rules() -> tuple[OfflineRules, ...]:
    """Return the packs' rules, sorted by pack name."""
    return _load_rules(len(LOADED))  # packs only ever come


@lru_cache(maxsize=1)
def _load_rules(_: int) -> tuple[OfflineRules, ...]:
    loaders = ((name, pack.load_offline_rules) for name, pack in sorted(LOADED.items()))
    return tuple(load() for _, load in loaders if load is not None)
