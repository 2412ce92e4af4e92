"""Requests for one row by its name: who, when, where, how it stands."""

from __future__ import annotations

from ....intents.queries import LOOKUP_FIELD
from ....intents.reading import make_fast_query
from ....types import Asked, FastRequest, Filter
from .cutting import Part
from .said import OF_ONE, NamePart, Said


def read_lookup(said: Said) -> FastRequest | None:
    tags = said.tags
    if _is_of_many(said):
        return None
    named = [item for item in said.names if not _is_where(item)]
    if len(named) != 1 or len(said.names) > 2:
        return None
    _, before, after = named[0]
    is_person = bool(tags & {"person", "work", "contact", "role"})
    if {"job", "one"} & (before | after) or ("role" in tags and _is_at(before)):
        is_person = False
    return _read_person(said, named[0]) if is_person else _read_job(said, named[0])


def _is_of_many(said: Said) -> bool:
    is_many = (
        said.nouns
        and "companies" not in said.nouns
        and not ("person" in said.tags and said.nouns == ("contacts",))
        and said.tags & {"own", "whole", "list", "mine", "show", "sort"}
    )
    is_counted = said.limit or said.orders or said.tags & {"ones", "often"}
    return bool(is_many or is_counted or said.bound or said.period)


def _read_person(said: Said, item: NamePart) -> FastRequest | None:
    (name, before, after), tags = item, said.tags
    if not _is_person(name, before, after, tags) or said.values or tags & {"job"} - {"role"}:
        return None
    if tags & OF_ONE - {"open", "where"} or tags >= {"open", "work"}:
        return None
    is_among = said.nouns == ("contacts",) and "mine" in tags  # "… in my contacts"
    if said.nouns and said.nouns != ("companies",) and not is_among:
        return None
    return _find_one("contacts", _strip(name, after, tags), None)


def _read_job(said: Said, item: NamePart) -> FastRequest | None:
    (name, before, after), tags = item, said.tags
    is_told = tags >= {"when", "value status=saved"} and not tags & {"own", "yes"}
    if is_told or (not tags & OF_ONE and "they" not in tags):
        return None
    if "a" in tags or (tags & OF_ONE and said.values.get("status", ("", ""))[1] == "interviewing"):
        return None
    is_sent = "own noun" in tags and not said.values  # "when was my application to Acme"
    if "when" in tags and not ("stored" in tags or said.values.keys() & {"status"} or is_sent):
        return None
    if "when" in tags and "stored" in tags and not tags & {"own", "yes", "me", "job", "one"}:
        return None  # "when was Acme founded"
    if "where" in tags and not tags & {"job", "one"}:
        return None
    is_asked = said.is_question or bool(tags & {"when", "they", "me", "yes", "own", "ornot"})
    if "status" in said.values and not is_asked:
        return None  # "the one at Acme to rejected"
    if "a" in before or "documents" in said.nouns or "contacts" in said.nouns or "whom" in tags:
        return None
    if not _is_row(name, before, after, tags):
        return None
    asked: Asked | None = None
    if "when" in tags:
        asked = {"field": "created_at", "value": None}
        if "stored" not in tags:
            asked = {"field": "status", "value": said.values.get("status", ("", "applied"))[1]}
    return _find_one("jobs", name.text, asked)


def _find_one(entity: str, text: str, asked: Asked | None) -> FastRequest:
    filters: list[Filter] = [{"field": LOOKUP_FIELD, "op": "contains", "value": text}]
    return FastRequest("lookup", entity, make_fast_query(filters), asked)


def _is_where(item: NamePart) -> bool:
    name, before, _ = item
    return name.is_place and bool(before & {"in"})


def _is_at(before: frozenset[str]) -> bool:
    return bool(before & {"at", "from", "in", "job", "one"})


def _strip(name: Part, after: frozenset[str], tags: frozenset[str]) -> str:
    """Without the s of "priya sharma's number", "priya sharmas number"."""
    if "whose" in name.tags:
        return name.text.removesuffix("s").removesuffix("S").removesuffix("'").removesuffix("’")
    is_s = "bares" in tags and after & {"person", "role"} and "whose" not in name.tags
    return name.text.removesuffix("s") if is_s else name.text


def _is_person(
    name: Part, before: frozenset[str], after: frozenset[str], tags: frozenset[str]
) -> bool:
    if name.is_place or before & {"a", "the", "verb"}:
        return False
    if name.is_trade and len(name.words) == 1:
        return False  # "Anna Weber" may be one
    if len(name.words) == 1 and not (
        name.has_capital or "mister" in before or "whose" in name.tags
    ):
        return False  # "the restaurant's number"
    if "person" in tags:
        return (
            "mister" in before
            or bool(before & {"of", "from", "person", "name", "mark", "skip", "whose", "has"})
            or bool(after & {"person"} or before & {"person"} or "whose" in name.tags or not before)
        )
    return len(name.words) > 1 or "mister" in before or "whose" in name.tags


def _is_row(
    name: Part, before: frozenset[str], after: frozenset[str], tags: frozenset[str]
) -> bool:
    """Whether a job may be meant by the name, by what stands around it."""
    if after & {"job", "one"} or before & {"job", "one"}:
        return True
    if name.is_trade or name.is_place:
        return False
    if before & {"at", "from", "of"} or (before & {"in"} and not name.is_place):
        return True
    if any(tag.startswith("value status") for tag in before):
        return True
    if "the" in before and "pay" in after:
        return name.has_capital  # "the Acme salary"
    is_free = not before or bool(
        before
        & {
            "they",
            "status",
            "pay",
            "open",
            "mark",
            "and",
            "choice",
            "when",
            "value status=rejected",
            "skip",
        }
    )
    is_paid = "pay" in before and name.has_capital
    is_short = is_paid or "leading" in before or len(name.text.split()) <= 3
    return is_free and "the" not in before and is_short
