"""Requests for rows by what they have in common: how many, which."""

from __future__ import annotations

from typing import Final

from ....core.spec import EntitySpec
from ....intents.measures import MAX_LIMIT
from ....intents.reading import make_fast_query
from ....types import FastIntent, FastQuery, Filter
from .cutting import Part
from .said import NAMING, QUIET, NamePart, Said

_KEPT: Final = frozenset({"whole", "ones", "own", "listed", "mine", "stored"})


def find_intent(said: Said) -> FastIntent | None:
    tags = said.tags
    is_counted = bool(tags & {"count", "often"})
    if is_counted:
        return None if said.orders or said.limit or "single" in tags else "count"
    first = next((part.tags for part in said.parts if not part.tags <= QUIET), frozenset[str]())
    done = next((p.tags for p in said.parts if not p.tags <= QUIET | {"show", "of"}), first)
    if "finite" in done and not done & {"own", "yes", "list", "show"}:
        return None  # told, or to be done: "I want to apply at Acme"
    is_one = tags & {"whole", "one", "yes", "any", "ornot", "single"} or said.limit
    if "job" in tags and not (is_one or said.values.get("status") == ("=", "accepted")):
        return None
    is_told = "asks" not in tags and not first & {"list", "show", "yes"}
    if first & {"own"} and said.names and is_told:
        return None  # told, not asked
    if tags & {"list", "show", "sort", "know", "whom"}:
        return "list"
    if first & {"they"} and not said.names and not tags & {"any", "ornot"}:
        return None
    if (
        "ornot" in tags
        or tags & {"yes", "any"}
        or first & {"they"}
        or (said.is_question and first & {"own", "me", "name"})
    ):
        is_told = any(tag.startswith("value ") for tag in first)  # "no answer from Acme yet"
        is_asked = (
            said.is_question or ("ornot" in tags and not is_told) or first & {"yes", "any", "they"}
        )
        has_state = said.values.keys() & {"status"} or said.nouns == ("contacts",)
        if is_asked and has_state and not first & {"noun", "whole"}:
            return "count"
        is_kept = said.nouns == ("jobs",) and tags & {"own", "mine", "listed"}
        return "list" if is_kept and "any" in first and (said.names or said.values) else None
    if (first & {"own", "me", "they", "passive", "got"} and "ones" not in first) or "they" in tags:
        return None
    if "name" in first and "me" in tags:
        return None
    has_rows = said.nouns or said.orders or said.values or tags & {"stored", "ones", "whole"}
    return "list" if has_rows else None


def find_entity(said: Said) -> str | None:
    nouns = set(said.nouns)
    if "know" in said.tags:
        return "contacts" if nouns <= {"contacts"} else None
    if "whom" in said.tags:
        return None  # companies by what became of the jobs there: for a model
    if len(nouns) > 1:
        return None
    return next(iter(nouns), "jobs")


def build_query(
    said: Said, entity: EntitySpec, main: EntitySpec, intent: FastIntent
) -> FastQuery | None:
    tags, filters = said.tags, list[Filter]()
    is_main = entity is main
    values = dict(said.values)
    if not is_main and values.get("status") == ("=", "saved"):
        if "undone" in tags:
            return None  # "companies I haven't applied to yet"
        del values["status"]  # all of them are
    if not all(map(entity.get_field, values)):
        return None
    if is_main and "own noun" in tags and said.period and not values.keys() & {"status"}:
        is_told = intent == "count" or not tags & {"mine", "show"}
        if is_told and not tags & {"stored", "own"}:
            values["status"] = (">=", "applied")
    if "made" in tags:  # "wie viele Bewerbungen habe ich geschrieben"
        values.setdefault("status", (">=", "applied"))
    if said.period and "stored" not in tags and values.get("status") == ("=", "saved"):
        values["status"] = (">=", "saved")  # then, wherever they are by now
    for field, (op, value) in values.items():
        filters.append({"field": field, "op": "gte" if op == ">=" else "eq", "value": value})
    if said.period is not None:
        op, period = said.period
        is_stored = "stored" in tags or not is_main
        field = "created_at" if is_stored else "status" if "status" in values else None
        if field is None or entity.get_field(field) is None:
            return None
        filters.append({"field": field, "op": "since" if op == "since" else "in", "value": period})
    if said.bound is not None:
        op, number = said.bound
        if tags >= {"mine", "noun jobs"} and not tags & {"pay", "kept noun"}:
            return None  # over 80 of what?
        field = main.get_field("salary_min")
        if not is_main or field is None or op == "eq" or number < field.smallest:
            return None
        filters.append(
            {"field": field.name, "op": "gte" if op == "gte" else "lte", "value": number}
        )
    is_sent = values.get("status") == (">=", "applied") and bool(said.names)
    if (
        is_sent
        and not tags & {"already", "count", "list", "show", "often", "jobs"}
        and intent == "count"
    ):
        return None  # "have I applied to Acme" may ask for more
    for item in said.names:
        field = _find_field(item, said, entity)
        if field is None or any(known["field"] == field for known in filters):
            return None
        filters.append({"field": field, "op": "contains", "value": item[0].text})
    return _order(said, entity, filters, intent)


def _order(
    said: Said, entity: EntitySpec, filters: list[Filter], intent: FastIntent
) -> FastQuery | None:
    orders = list(said.orders)
    if "last" in said.tags and not orders and (said.limit or "stored" in said.tags):
        orders = ["created_at desc"]
    is_single = "single" in said.tags and not said.limit
    if is_single and not said.tags & {"mine", "listed", "own", "stored"}:
        return None
    limit = 1 if is_single else said.limit
    if len(orders) > 1 or (limit and not orders) or limit > MAX_LIMIT:
        return None
    if "last" in said.tags and not orders:
        return None
    if "sort" in said.tags and not (orders and (said.nouns or said.tags & _KEPT)):
        return None  # "sort them by salary"
    field, _, direction = orders[0].partition(" ") if orders else ("", "", "")
    if field and entity.get_field(field) is None:
        return None
    if not _is_certain(said, entity, field, intent):
        return None
    return make_fast_query(filters, field or None, direction == "desc", limit)


def _is_certain(said: Said, entity: EntitySpec, order: str, intent: FastIntent) -> bool:
    """Whether surely the user's own rows are meant, and some of them in particular."""
    tags = said.tags
    if intent == "count" and not (said.names or said.values or said.period or said.bound):
        if any(tag.startswith("noun") for tag in said.parts[0].tags):
            return False
    if said.bound and "pay" in tags and ("show" not in tags or "the" in tags) and intent == "list":
        return True
    if "now" in tags and "jobs" in said.nouns and not (said.is_owned or said.has_state):
        return False  # "how many nurse jobs are there right now": of all that there are
    if said.has_trade:
        is_meant = bool(tags & {"the", "whole", "ones", "asks"})
        return said.is_owned or is_meant or not tags & {"show", "list"}
    if tags & {"a", "has"}:
        return False
    if "any" in tags and "jobs" in said.nouns and not (said.has_state or said.is_owned):
        return False
    if not _is_certain_order(said, entity, order):
        return False
    if not said.nouns and not said.values and not order and "stored" not in tags:
        is_told = bool(said.bound or said.names) and bool(
            said.is_owned or tags & {"whole", "ones", "count"}
        )
        return is_told or "know" in tags
    if "they" in tags and intent == "count" and not (said.has_state or said.is_owned):
        return False
    return "jobs" not in said.nouns or _are_jobs_certain(said, order, intent)


def _is_certain_order(said: Said, entity: EntitySpec, order: str) -> bool:
    tags = said.tags
    if "last" in tags and not (tags & {"stored", "own noun"} or (order and order != "created_at")):
        return False
    is_newest = said.limit > 1 and not tags & {"mine", "last"}  # "the 5 newest jobs"
    is_of_time = is_newest or tags & {"stored", "sort", "own noun"} or entity.name != "jobs"
    if order == "created_at" and not is_of_time:
        return False
    is_meant = said.limit or said.is_owned or said.has_state or tags & {"sort", "whole"}
    if order == "salary_min" and not (is_meant or ("ones" in tags and "jobs" not in said.nouns)):
        return False
    is_listed = "the" in tags and "list" in tags and said.names
    if said.limit and order and not said.is_owned and is_listed:
        return False
    return not (order and "job" in tags and not (said.limit or "single" in tags))


def _are_jobs_certain(said: Said, order: str, intent: FastIntent) -> bool:
    """Jobs are out there as well as in the tracker."""
    tags = said.tags
    is_clear = not (
        tags >= {"mine", "in firm", "noun jobs"} or tags >= {"pay", "count", "noun jobs"}
    )
    is_firm = any(
        {"at", "in firm"} & before and not name.is_place for name, before, _ in said.names
    )
    is_asked_of = tags & {"the", "asks", "that", "count"} and not (order or is_firm)
    if "kept noun" in tags and is_asked_of and (said.values or said.bound or said.names):
        return True
    if "kept noun" in tags and intent == "count" and not is_firm:
        return True
    if said.has_state or order or (said.is_owned and (is_clear or not said.names)):
        return True
    if "whole" in tags:
        return bool(said.names or said.values or intent == "list")
    if intent == "count":
        is_bare = not tags & {"the", "show", "that"} and (is_clear or not said.names)
        return is_bare and bool(said.names or said.bound or said.values)
    several = len(said.names) + len(said.values) + bool(said.bound) > 1
    if "the" in tags and said.values and tags & {"show", "list"}:
        return True  # "list the hybrid jobs"
    if tags & {"show", "list", "sort"} or ("the" in tags and not several):
        return False
    return bool(said.names or said.bound) or _follows(said)


def _follows(said: Said) -> bool:
    """Whether a value stands behind its noun: "offres en télétravail", not "remote jobs"."""
    kinds = [tag[:4] for part in said.parts for tag in part.tags if tag[:4] in ("noun", "valu")]
    return kinds[:1] == ["noun"] and "valu" in kinds


def _find_field(item: NamePart, said: Said, entity: EntitySpec) -> str | None:
    """The field that a name among many rows is of."""
    name, before, after = item
    is_beside = any(tag.startswith("noun ") for tag in after) or "job" in after
    if "a" in before and not name.is_trade:
        return None
    is_paid = said.bound and name.is_trade  # "which nurse jobs pay at least …"
    if after & {"count", "list", "pay"} and not (name.is_place or is_paid):  # "Acme pay"
        return None
    if entity.name == "contacts":
        is_beside = (
            is_beside
            or "noun contacts" in before
            or (bool(before & {"of"}) and bool(said.tags & {"mine", "know"} or name.is_firm))
        )
        is_at = "at" in before or (is_beside and name.has_capital)
        return "company" if is_at and not name.is_place else None
    if entity.get_field("location") is None:
        return None
    if name.is_place:
        return None if _may_be_firm(before, said) else "location"
    is_firm = "one" in before and name.has_capital and len(name.words) > 1
    if name.is_trade and not is_firm and (not before & {"at", "in"} or "as" in before):
        if "mine" in before and not is_beside:
            return None  # "les postes que ma femme a enregistrés"
        is_titled = before & {"as", "noun jobs", "job"} or is_beside or not before & NAMING
        return "title" if is_titled else None
    return "company" if _is_firm(name, before, said, is_beside=is_beside) else None


def _may_be_firm(before: frozenset[str], said: Said) -> bool:
    """Whether a place's name may be a firm's as well: "applied Leeds"."""
    status = said.values.get("status", ("", ""))[1]
    is_unclear = "in firm" in before and status in ("applied", "saved") and not said.nouns
    if any(tag.startswith("value status") for tag in before):
        is_unclear = is_unclear or "leading" in before or not said.nouns
    return is_unclear or ("at" in before and "in" not in before)


def _is_firm(name: Part, before: frozenset[str], said: Said, *, is_beside: bool) -> bool:
    """Whether a name that is neither a place nor a trade is surely a firm's."""
    tags, status = said.tags, said.values.get("status", ("", ""))[1]
    if "in firm" in before:
        if name.is_firm and status != "saved":
            return True
        return status not in ("", "saved") and "jobs" not in said.nouns
    if before >= {"at", "in city"} and not name.is_firm:
        return False  # "à Lacq"
    if before & {"at"} or (before & {"of"} and name.is_firm and "own noun" in tags):
        return True
    if any(tag.startswith("value status") for tag in before) and status != "offer":
        is_told = tags & {"yes", "they", "any", "me"} and not tags & {"count", "often", "list"}
        return status != "saved" and bool(name.has_capital or is_told)
    if before & {"of", "from"} and status == "rejected" and not said.nouns:
        return True
    if tags & {"whole"} and (
        (is_beside and name.has_capital)
        or (before & {"of", "from"} and not name.is_kind and not said.nouns)
    ):
        return True
    is_bare = "own" in tags or not tags & {"the", "show", "list", "count"}
    if before >= {"of", "as"} and name.has_capital and is_bare:
        return True  # "trabajos de Acme"
    is_actor = tags & {"me"} and status in ("rejected", "offer") and not before & NAMING
    return bool(is_actor) and (name.has_capital or "they" in before) and "the" not in before
