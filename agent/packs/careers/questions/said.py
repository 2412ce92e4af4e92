"""What the parts of a sentence say, sorted by what they are."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from .cutting import Part

OF_ONE: Final = frozenset({"when", "where", "pay", "status", "open", "choice"})
OF_PEOPLE: Final = frozenset({"person", "work", "role", "know"})
NAMING: Final = frozenset({"at", "in", "from", "of", "as"})
QUIET: Final = frozenset({"skip", "mark", "the", "a"})
ASKING: Final = OF_ONE | OF_PEOPLE | {"list", "show", "sort", "know", "whom", "yes", "any", "they"}
_BEFORE_NOUNS: Final = frozenset({"name", "period", "bound", "number", "stored"})
_BEFORE_SHOWING: Final = frozenset({"list", "count", "often", "when", "where", "name"})
_OWNING: Final = frozenset({"own", "yes", "listed", "mine", "stored", "me", "know", "own noun"})
_OF_USER: Final = frozenset({"own", "yes", "me", "mine"})
_SEVERAL: Final = frozenset({"whole", "mine", "ones", "last", "top", "number", "stored", "has"})

NamePart = tuple[Part, frozenset[str], frozenset[str]]  # with the tags before and after it


@dataclass(frozen=True, slots=True)
class Said:
    """All parts of a sentence, sorted by what they are."""

    parts: tuple[Part, ...]
    tags: frozenset[str]
    names: tuple[NamePart, ...]  # tags before and after each
    nouns: tuple[str, ...]
    values: dict[str, tuple[str, str]]  # field → operator, value
    orders: tuple[str, ...]
    limit: int = 0
    bound: tuple[str, int] | None = None
    period: tuple[str, str] | None = None
    is_question: bool = False

    @property
    def is_owned(self) -> bool:
        """Whether it says that the user's own rows are meant."""
        return not _OWNING.isdisjoint(self.tags)

    @property
    def has_state(self) -> bool:
        """Whether it says what only rows that are kept have."""
        return not {"status", "kind"}.isdisjoint(self.values)

    @property
    def has_trade(self) -> bool:
        return any(name.is_trade for name, *_ in self.names)


def sort_parts(parts: list[Part], marks: set[str], *, is_question: bool) -> Said | None:
    """None: it says two things of one kind."""
    tags = frozenset(marks).union(*(part.tags for part in parts))
    values = _sort_values(tags)
    numbers = [part.number for part in parts if part.number]
    bounds = [part.bound for part in parts if part.bound]
    periods = [part.period for part in parts if part.period]
    if values is None or any(map(_goes_on, parts, parts[1:], parts[2:])):
        return None
    if len(numbers) > 1 or len(bounds) > 1 or len(periods) > 1:
        return None
    nouns = [tag for part in parts for tag in sorted(part.tags) if tag.startswith("noun ")]
    return Said(
        parts=tuple(parts),
        tags=tags - _list_unmeant(parts, tags, values),
        names=_sort_names(parts),
        nouns=tuple(dict.fromkeys(tag[5:] for tag in nouns)),
        values=values,
        orders=tuple(dict.fromkeys(tag[6:] for tag in sorted(tags) if tag.startswith("order "))),
        limit=numbers[0] if numbers else 0,
        bound=bounds[0] if bounds else None,
        period=periods[0] if periods else None,
        is_question=is_question,
    )


def _sort_values(tags: frozenset[str]) -> dict[str, tuple[str, str]] | None:
    """Field → operator, value; None: two values of one field, or one that may be two."""
    values: dict[str, tuple[str, str]] = {}
    for tag in sorted(tag for tag in tags if tag.startswith("value ")):
        field, op, value = _split_value(tag)
        if value == "offer" and "vague" in tags and not tags & {"own", "yes"}:
            return None
        if op == ">=" and value == "offer" and not tags & {"got", "often", "any", "noun companies"}:
            if not tags & {"own", "yes"}:
                return None  # those that are there, or all that ever came?
            op = "="
        elif op == ">=" and value != "applied" and tags & {"now", "status"} and "got" not in tags:
            op = "="  # "with the status of an interview"
        if "often" in tags and value == "interviewing":
            op = ">="
        known = values.setdefault(field, (op, value))
        if known[1] != value and (known, value) != (("=", "accepted"), "offer"):
            return None  # but for "which offers did I accept"
    return values


def _list_unmeant(
    parts: list[Part], tags: frozenset[str], values: dict[str, tuple[str, str]]
) -> frozenset[str]:
    """Tags of words that mean something else here: "ceux qui …", "the number of …"."""
    unmeant = set[str]()
    asking = [part.tags for part in parts if not part.tags <= QUIET][:1]
    if not any(
        "whom" in part.tags and (part.tags in asking or "that" not in part.tags) for part in parts
    ):
        unmeant.add("whom")
    if any({"count", "person"} <= part.tags for part in parts):
        is_named = any("name" in part.tags for part in parts)
        is_phone = is_named and not values and not any(tag.startswith("noun") for tag in tags)
        unmeant.add("count" if is_phone else "person")
    return frozenset(unmeant)


def _sort_names(parts: list[Part]) -> tuple[NamePart, ...]:
    """The names with the tags before and after each."""
    around = [frozenset[str](), *(part.tags for part in parts), frozenset[str]()]
    for i in range(2, len(around) - 1):  # an article between: "bei der Allianz"
        if "the" in around[i] and "leading" in around[i - 1] and not around[i] & NAMING:
            around[i] = around[i - 1]
    return tuple(
        (part, around[i], around[i + 2]) for i, part in enumerate(parts) if "name" in part.tags
    )


def _goes_on(place: Part, joint: Part, name: Part) -> bool:
    """Whether a place may have a longer name: "Oaxaca de Juárez"."""
    return place.is_place and joint.tags >= {"of", "in"} and "name" in name.tags


def is_plain(said: Said) -> bool:
    """Whether nothing is said that no row can tell: a follow-up, what the user did to others."""
    tags, status = said.tags, said.values.get("status", ("", ""))[1]
    if "stop" in tags or not said.parts or _is_other(said.parts):
        return False
    first = next((part.tags for part in said.parts if "mark" not in part.tags), frozenset[str]())
    if "and" in first and not (said.names and tags & (OF_ONE | {"role", "person"})):
        return False
    if not _may_be_left_open(said.parts, tags) or not is_asked(said) or _is_told_first(said.parts):
        return False
    asked = frozenset[str]()
    is_begun = {"show", "skip"} <= first and "mine" not in tags  # "kannst du mir … zeigen"
    for part in said.parts:
        if "show" in part.tags and not is_begun and asked & _BEFORE_SHOWING:
            return False  # "what share of", "may my boss see": no request within a question
        if part.tags == frozenset({"list"}) and asked >= {"mark"} and asked & {"count", "often"}:
            return False  # "how many have I got, what do I tell her"
        asked |= part.tags
    if "others" in tags and status not in ("", "rejected") and not tags & _OF_USER:
        return False  # "how many applications has he sent", "how many interviews did she have"
    if status != "interviewing" and any(
        "ongoing" in part.tags and "status" not in part.tags for part in said.parts
    ):
        return False
    if "any" in tags and status in ("applied", "withdrawn") and not tags & {"own", "yes", "me"}:
        return False  # "did anybody apply"
    if "made" in tags and "own noun" not in tags:
        return False
    if "person" not in tags and any(part.tags == frozenset({"verb"}) for part in said.parts):
        return False
    if "top" in tags and not said.limit:
        return False
    if "undone" in tags and status != "saved":
        return False
    if status == "accepted" and "passive" in tags:
        return False
    if "active" in tags and tags & {"own", "yes"} and not tags & {"me", "passive", "got"}:
        return False
    is_passive = frozenset({"passive"} if "count" not in tags else set[str]())
    is_bare = any(
        "got" in part.tags and not _has_value(part.tags) and not is_passive & part.tags
        for part in said.parts
    )
    if is_bare and not tags & (_OF_USER | {"any"}):
        return False
    return not ({"got", "had"} & tags) or bool(said.values or "stored" in tags)


def _is_told_first(parts: tuple[Part, ...]) -> bool:
    """Whether something is told before rows are asked for: "I applied to Acme yesterday, how many
    jobs do I have".
    """
    begun = frozenset[str]().union(*(part.tags for part in takewhile(_is_no_mark, parts)))
    is_told = "own" in begun and begun & {"name", "period"} and _has_value(begun)
    rest = frozenset[str]().union(*(part.tags for part in parts)) & {"count", "list", "show"}
    return bool(is_told and rest - begun) and begun.isdisjoint(ASKING | {"count", "often"})


def _is_no_mark(part: Part) -> bool:
    return "mark" not in part.tags


def _is_other(parts: tuple[Part, ...]) -> bool:
    """Whether somebody is spoken of without a name: "meine Frau"."""
    after = [*(part.tags for part in parts[1:]), frozenset[str]()]
    return any(
        "mister" in part.tags and not following & {"name", "mister", "mark"}
        for part, following in zip(parts, after, strict=True)
    )


def is_asked(said: Said) -> bool:
    """Whether there is a question or a request, or nothing but what rows are called.

    "Withdrawn from Acme" and "today I applied to Acme" tell something: that is for a model to note.
    """
    if said.is_question or said.tags & {"ornot", "count", "often", "when", "asks", "where", "work"}:
        return True
    if said.orders and "single" in said.tags:
        return True
    parts = [
        part.tags
        for part in said.parts
        if not part.tags & (QUIET | {"mister"}) or "status" in part.tags
    ] or [frozenset[str]()]
    if parts[0] & (ASKING | _SEVERAL):
        return True
    is_short = "pay" in said.tags and len(parts) == 2
    is_terse = len(said.parts) == 2 and "pay" in said.parts[0].tags
    is_paid = is_terse and said.names and said.names[0][0].has_capital
    is_short = is_short or ("status" in parts[-1] and len(parts) <= 3 and "skip" in parts[-1])
    if is_paid:
        return True  # "salary Acme Labs"
    if "name" in parts[0] and (said.tags & {"person", "role", "open"} or is_short):
        return True  # "Jane Doe's email"
    if any(tag.startswith(("value remote", "value kind")) for tag in parts[0]):
        return True
    if "outcome" in parts[0] and all(name.is_place for name, *_ in said.names):
        return True  # "rejections in March"; "rejection from Acme" tells of one
    qualifying = takewhile(_qualifies, parts)  # "nurse jobs in Cardiff"
    return any(map(_is_of_rows, parts[: len([*qualifying]) + 1]))


def _is_of_rows(tags: frozenset[str]) -> bool:
    return "ones" in tags or any(tag.startswith(("noun ", "order ")) for tag in tags)


def _qualifies(tags: frozenset[str]) -> bool:
    """Whether it can stand before what rows are called, and tells nothing."""
    is_told = tags & {"own", "me", "finite", "passive", "got"}
    return not is_told and (bool(tags & (NAMING | _BEFORE_NOUNS)) or _has_value(tags))


def _may_be_left_open(parts: tuple[Part, ...], tags: frozenset[str]) -> bool:
    """Whether "or not" ends a question that has a yes and a no, if it is said at all."""
    places = [i for i, part in enumerate(parts) if "ornot" in part.tags and "skip" not in part.tags]
    if not places:
        return True
    is_last = (
        len(places) == 1
        and "mark" not in parts[places[0] - 1].tags
        and all(part.tags <= QUIET for part in parts[places[0] + 1 :])
    )
    return is_last and not tags & {
        "count",
        "often",
        "list",
        "show",
        "sort",
        "open",
        "status",
        "when",
        "noun contacts",
        "contact",
        "person",
    }


def _has_value(tags: frozenset[str]) -> bool:
    return any(tag.startswith("value ") for tag in tags)


def _split_value(tag: str) -> tuple[str, str, str]:
    op = ">=" if ">=" in tag else "="
    field, _, value = tag.removeprefix("value ").partition(op)
    return field, op, value
