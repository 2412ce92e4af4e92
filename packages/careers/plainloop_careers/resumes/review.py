"""What a person should look at after an import, and changing one value of the structure.

A parser, whichever it is, takes a text apart as well as the text lets it. What is uncertain is
found by looking at the result, not by asking the parser how sure it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from plainloop.agent.base.text.cleaning import cut_text
from plainloop.agent.base.text.foreign_json import as_list, as_object, list_objects
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError

from ..files import Patterns
from .homes import find_unsure_home
from .shape import is_json_resume, parse_resume_data, to_iso_date
from .titles import is_title

_SAID: Final = Patterns(__file__)
MAX_DOUBTS: Final = 12
MAX_OPEN: Final = 50
# Removing an entry renumbers those behind it; correcting one year shortens the list of years.
_PLACE_OR_YEAR: Final = re.compile(r"[\d, ]+")
_WEIGHED_LINES: Final = 100  # that hold a text: of them the one with most of the texts beside it
_SHOWN_CHARS: Final = 60
EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
# Meant as an address, and none: "ann(at)example.com", "ann@example".
_UNREADABLE: Final = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}\s?(?:[(\[{]\s?(?:at|@|ät|arroba|arobase)\s?[)\]}]|@)\s?[\w-][\w.-]{1,63}",
    re.I,
)
_YEAR: Final = re.compile(r"(?<![\d.,])(?:19|20)\d{2}(?!\d|,\d)")
_DATE: Final = re.compile(
    r"(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?", re.ASCII
)
# A line that ends so is not over.
OPEN_END: Final = _SAID.compile("open_end")
SCHOOL: Final = _SAID.compile("school")
DEGREE: Final = _SAID.compile("degree")
_KNOWN_BY: Final = ("position", "name", "institution", "organization", "area", "startDate")
_STEP: Final = re.compile(r"(?P<key>[A-Za-z$]\w*)|\[(?P<index>\d{1,3}|\+)\]")
# Of each section: what an entry is called, what else is looked for.
_NAMES: Final = {
    "work": ("name", "position"),
    "education": ("institution",),
    "projects": ("name",),
    "volunteer": ("organization", "position"),
}


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something uncertain in a parsed résumé. field: of the place, "" where the place is one."""

    place: str  # `work[0]`; "": the whole résumé
    field: str
    sentence: str  # goes on after the place: ": is “Acme” the school?", " has no name"
    text: str = ""  # of the file, that it is about
    near: tuple[str, ...] = ()  # texts beside it, where it stands more than once or nowhere

    @property
    def path(self) -> str | None:
        """Return the path of the field to check, such as `work[0].name`; None without one."""
        return ".".join(filter(None, (self.place, self.field))) or None

    @property
    def message(self) -> str:
        """Return what the user should check, as text to show beside the field.

        >>> Doubt("work[0]", "name", " has no name").message
        'This is missing.'
        """
        if self.sentence.startswith(" has no "):
            return "This is missing."
        said = self.sentence.removeprefix(": ").removeprefix(" is ").strip()
        return said[:1].upper() + said[1:]

    @property
    def key(self) -> str:
        """Return what names the doubt in `meta.open` and `meta.dismissed`."""
        return f"{self.path or ''}: {self.message}"

    @property
    def is_impossible(self) -> bool:
        """Whether no correction elsewhere settles it: a period that ends before it begins."""
        return self.sentence.startswith(" ends (")

    def find_source(self, raw_text: str) -> tuple[int, str] | None:
        """Find the uncertain text in the file; return (line number, line), or None.

        >>> doubt = Doubt("work[0]", "endDate", "", "2017", ("Cook", "2019"))
        >>> doubt.find_source("Waiter, Fisk\\n2016 – 2017\\nCook, Noma\\n2019 – 2017")
        (4, '2019 – 2017')
        """
        lines = raw_text.splitlines()
        plain = [line.casefold() for line in lines]
        near = [text.casefold() for text in self.near]

        def count_near(at: int) -> int:
            around = "\n".join(plain[max(at - 2, 0) : at + 2])
            return sum((text in plain[at]) + (text in around) for text in near)

        for sought in filter(None, (self.text.casefold(), *near)):
            found = [*islice((n for n, line in enumerate(plain) if sought in line), _WEIGHED_LINES)]
            if found:
                at = max(found, key=count_near)  # of equal ones the first
                return at + 1, lines[at].strip()
        return None


def find_doubts(data: dict[str, Any], raw_text: str, *, is_corrected: bool = False) -> list[Doubt]:
    """List what the user should check in a parsed résumé, from top to bottom.

    In a corrected one only what is impossible or was open before (`meta.open`), except what the
    user dismissed (`meta.dismissed`). Both list the path and message of each.
    """
    found = [*_check_basics(data, raw_text), *_check_entries(data), *_check_text(data, raw_text)]
    if not is_corrected:
        return found
    meta = as_object(data.get("meta"))
    still_open, dismissed = as_list(meta.get("open")), as_list(meta.get("dismissed"))
    return [
        doubt
        for doubt in found
        if doubt.key not in dismissed and (doubt.is_impossible or doubt.key in still_open)
    ]


def keep_open(data: dict[str, Any], raw_text: str, before: list[Doubt]) -> dict[str, Any]:
    """Return corrected data that lists in `meta.open` which of the doubts before it still has."""
    known = {_PLACE_OR_YEAR.sub("", doubt.key) for doubt in before}
    doubts = find_doubts(data, raw_text)
    still_open = [one.key for one in doubts if _PLACE_OR_YEAR.sub("", one.key) in known]
    meta = as_object(data.get("meta"))
    if not still_open and "open" not in meta:
        return data
    return {**data, "meta": {**meta, "open": still_open[:MAX_OPEN]}}


def list_doubts(data: dict[str, Any], raw_text: str, *, is_corrected: bool = False) -> list[str]:
    """List what the user should check in a parsed résumé, as sentences.

    >>> work = [{"name": "Acme", "position": "events a day", "startDate": "2020"}]
    >>> list_doubts({"basics": {"name": "Ann Lee"}, "work": work}, "")
    ['work[0]: “events a day” looks like part of a sentence']
    """
    doubts = find_doubts(data, raw_text, is_corrected=is_corrected)
    told: list[str] = []
    # Only of these: each looks through the whole text, and a file can hold 20,000 doubts.
    for doubt in doubts[:MAX_DOUBTS]:
        source = doubt.find_source(raw_text)
        where = f" (line {source[0]})" if source else ""
        told.append(f"{doubt.place}{doubt.sentence}{where}")
    more = len(doubts) - MAX_DOUBTS
    return told if more <= 0 else [*told, f"and {more} more"]


def is_fragment(text: str) -> bool:
    """Whether a text is only a part of a sentence, such as one line of a paragraph.

    >>> [is_fragment(text) for text in ("events a day", "Led the move to", "iOS developer")]
    [True, True, False]
    """
    words = text.split()
    begins_inside = bool(words) and words[0].islower() and words[0].isalpha()
    return begins_inside or OPEN_END.search(text.strip()) is not None


def set_value(data: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return a copy of the résumé with one value set at a path; None removes the value.

    A path is like `work[0].name`, or `skills[+]` for one more. "April 2021" is stored as 2021-04.

    >>> set_value({"work": [{"name": "Acme"}]}, "work[0].position", "Cook")
    {'work': [{'name': 'Acme', 'position': 'Cook'}]}

    Raises: InputError when there is no such field, an e-mail address or date is malformed, or what
    comes out is no JSON Resume.
    """
    changed = _put(data, list(_parse_path(path)), value, path)
    if changed != data:  # what a file had is not refused when it is left as it is
        changed = _put(data, list(_parse_path(path)), _clean_forms(path, value), path)
    return parse_resume_data(changed) if not data or is_json_resume(data) else changed


def _check_basics(data: dict[str, Any], raw_text: str) -> Iterator[Doubt]:
    basics = as_object(data.get("basics"))
    name = str(basics.get("name") or "")
    if not name:
        yield Doubt("basics.name", "", ": no name was found; letters will not be signed")
    elif re.search(r"[\d@:]", name) or len(name.split()) > 6:
        yield Doubt("basics.name", "", f": is “{_cut(name)}” the name?", name)
    found = EMAIL.search(raw_text)
    if found and not basics.get("email"):
        said = f" is empty, but the text contains {found[0]}"
        yield Doubt("basics.email", "", said, found[0])
    elif not basics.get("email") and (address := _UNREADABLE.search(raw_text)):
        said = f": is “{_cut(address[0])}” the e-mail address? It cannot be used as it is"
        yield Doubt("basics.email", "", said, address[0])
    if not basics.get("location") and (home := find_unsure_home(raw_text)):
        yield Doubt("basics.location.city", "", f": is “{_cut(home)}” where you live?", home)


def _check_entries(data: dict[str, Any]) -> Iterator[Doubt]:
    for section, names in _NAMES.items():
        for index, entry in enumerate(list_objects(data.get(section))):
            place = f"{section}[{index}]"
            known = [text for key in _KNOWN_BY if (text := str(entry.get(key) or ""))]
            any_text, near = known[0] if known else "", tuple(known)
            for key in names:
                text = str(entry.get(key) or "")
                if is_fragment(text):
                    yield Doubt(place, key, f": “{_cut(text)}” looks like part of a sentence", text)
            for key in names:
                if not entry.get(key):
                    yield Doubt(place, key, f" has no {key}", any_text, near)
            start, end = str(entry.get("startDate") or ""), str(entry.get("endDate") or "")
            is_dated = start[:4].isdigit() and end[:4].isdigit()
            if is_dated and end[: len(start)] < start[: len(end)]:
                said = f" ends ({end}) before it begins ({start})"
                yield Doubt(place, "endDate", said, end[:4], (*near, start[:4]))
            school = str(entry.get("institution") or "")
            if school and (not SCHOOL.search(school) or DEGREE.search(school)):
                yield Doubt(place, "institution", f": is “{_cut(school)}” the school?", school)
            position, name = str(entry.get("position") or ""), str(entry.get("name") or "")
            is_whole = position and name and not is_fragment(position)
            if section == "work" and is_whole and not is_title(position):
                said = f": is “{_cut(position)}” the position, at “{_cut(name)}”?"
                yield Doubt(place, "position", said, position)
            if section == "work" and not start and not end:
                said = ": which dates? Without an end it counts as ongoing"
                yield Doubt(place, "startDate", said, any_text, near)
            if section == "education" and not start and not end:
                yield Doubt(place, "endDate", ": which years? None is given", any_text, near)
            for line in as_list(entry.get("highlights")):
                if isinstance(line, str) and is_fragment(line):
                    said = f": “{_cut(line)}” looks like part of a sentence"
                    yield Doubt(place, "highlights", said, line)


def _check_text(data: dict[str, Any], raw_text: str) -> Iterator[Doubt]:
    """Yield doubts where the text and its parsed structure differ: years, names, whole sections."""
    if not raw_text:
        return
    if not data.get("work") and not data.get("education"):
        yield Doubt("", "", "no positions and no education were found")
    known = {year for text in _iter_texts(data) for year in _YEAR.findall(text)}
    missing = sorted(set(_YEAR.findall(raw_text)) - known)
    if missing:
        said = f"the text contains {', '.join(missing[:5])}, but the parsed résumé does not"
        yield Doubt("", "", said, missing[0])
    words = set(re.findall(r"\w+", raw_text.casefold()))
    for section, names in _NAMES.items():
        for index, entry in enumerate(list_objects(data.get(section))):
            for key in names:
                text = str(entry.get(key) or "")
                if set(re.findall(r"\w+", text.casefold())) - words:
                    said = f": “{_cut(text)}” is not in the text"
                    yield Doubt(f"{section}[{index}].{key}", "", said)


def _iter_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for item in [*as_object(value).values(), *as_list(value)]:
        yield from _iter_texts(item)


def _parse_path(path: str) -> Iterator[str | int]:
    """Parse `work[0].name` to the steps "work", 0, "name"; `[+]` becomes -1, one more.

    Raises: InputError.
    """
    at = 0
    while at < len(path):
        match = _STEP.match(path, at + (path[at] == "." and at > 0))
        if match is None:
            break
        at = match.end()
        yield match["key"] or (-1 if match["index"] == "+" else int(match["index"]))
    if at < len(path) or not path:
        raise InputError(
            f"“{path}” is not a field of a résumé", hint="Write a field like work[0].name."
        )


def _clean_forms(path: str, value: Any) -> Any:
    """Return a value or an entry with ISO dates.

    Raises: InputError for a malformed e-mail address or date.
    """
    if isinstance(value, dict):
        return {key: _clean_forms(f"{path}.{key}", text) for key, text in as_object(value).items()}
    key = path.rpartition(".")[2]
    if not isinstance(value, str) or not value:
        return value
    if key == "email" and not EMAIL.fullmatch(value):
        raise InputError(
            f"“{path}”: “{_cut(value)}” is not an e-mail address",
            hint="Write an address like ann@example.org.",
        )
    if key != "date" and not key.endswith("Date"):
        return value
    date = to_iso_date(value)
    if not _DATE.fullmatch(date):
        raise InputError(
            f"“{path}”: “{_cut(value)}” is not a date",
            hint="Write 2019, March 2019, 2019-03 or 2019-03-14; an ongoing position has no end.",
        )
    return date


def _put(place: Any, steps: list[str | int], value: Any, path: str) -> Any:
    """Return a copy of a JSON value with one value replaced at the end of the steps.

    Raises: InputError.
    """
    step, *rest = steps
    if isinstance(step, str) and isinstance(place, dict | None):
        fields = dict(as_object(place))
        put = _put(fields.get(step), rest, value, path) if rest else value
        if put is None:
            fields.pop(step, None)
            return fields
        return {**fields, step: put}
    if isinstance(step, str) or not isinstance(place, list | None):
        raise InputError(
            f"“{path}”: this field does not exist",
            hint="The résumé's fields are those of JSON Resume.",
        )
    items = list(as_list(place))
    if step == -1:
        step = len(items)
        items.append(None)
    elif step >= len(items):
        raise InputError(
            f"“{path}”: the list has only {len(items)} entries; the first is [0]",
            hint="`[+]` adds an entry.",
        )
    put = _put(items[step], rest, value, path) if rest else value
    items[step : step + 1] = [] if put is None else [put]
    return items


def _cut(text: str) -> str:
    return cut_text(text, _SHOWN_CHARS)
