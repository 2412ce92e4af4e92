"""Dates and periods as résumés write them, in the languages of Europe and some others."""

from __future__ import annotations

import re
from typing import Final

from plainloop.agent.base.text.patterns import compile_lazily
from plainloop_documents.reading.dates import find_order
from plainloop_documents.reading.months import MONTH, UNIT, get_month, mark_months

from ..files import Patterns

_SAID: Final = Patterns(__file__)
_YEAR: Final = r"(?:19|20)\d\d"
_MONTH: Final = rf"{MONTH}\.?"
_OF: Final = r"(?:d[eo]l?|of)\s+"
_DAY: Final = rf"\d{{1,2}}(?:st|nd|rd|th|er|\.|º)?\s+(?:{_OF})?"
_QUARTER: Final = r"(?:[QTH]\s?[1-4]|[1-4]\s?[QTH])"
_SEASON: Final = rf"(?:\b{_QUARTER}|\b(?:{_SAID.text('seasons')}))"
_DATE: Final = (
    rf"(?:\b(?:{_SAID.text('about')})[\s-]+)?(?:"
    # "15 March 2019", "March 15th, 2019", "Mar-2019", "março de 2019".
    rf"(?:(?:\b{_DAY})?{_MONTH},?|{_SEASON})[\s/’'-]{{0,3}}"
    rf"(?:{_OF}|\d{{1,2}}(?:st|nd|rd|th)?,?\s+)?{_YEAR}(?:/\d\d(?!\d))?"
    rf"|{_MONTH}\s*['’‘/-]\s?\d\d\b"
    # "03/2019", "15.03.2019", "03 / 2019"
    rf"|\b(?:\d{{1,2}}[./-])?\d{{1,2}}\s?[./-]\s?{_YEAR}"
    # "2019-03", "2019/20", "2019 Q3", "2019年3月", "2019. március"
    rf"|(?<!\d){_YEAR}(?:\s?[年년](?:\s?\d{{1,2}}\s?[月월](?:\s?\d{{1,2}}\s?[日일])?)?"
    rf"|\.?\s?{_MONTH}|[\s/-]{_QUARTER}\b|[-./]\d\d?(?:[-./]\d\d?)?(?!\d))?)"
)
_SHORT: Final = r"\b\d{1,2}/\d\d(?![\d/])"  # 03/19: in a range alone
_DASH: Final = r"(?:[-‐‑‒–—−~～〜]+>?|→)"
_UNTIL: Final = _SAID.text("until")
_TO: Final = rf"\s*(?:{_DASH}|\b(?:{_UNTIL})\b)\s*"
# After "2019–", or after "2019 –" if nothing else follows: "2019 – 21 branches" is no period. After
# a hyphen, up to 12 is a month.
_YY: Final = (
    r"(?:(?<=\d[–—~])|(?<=\d-)(?!0|1[012])|(?<!-)(?=\d\d\s*(?:[)\],;|\t]|\s\s|$)))"
    r"\d\d(?![\w%]|[./,]\d)"
)
_END: Final = rf"(?:{_DATE}|{_SHORT}|(?:{_SAID.text('now')})(?!\w))"
_SINCE: Final = _SAID.text("since")
_OPEN: Final = r"(?:[(\[]\s?)?"  # "[ 01/09/2019 – Current ]", as Europass writes it
_CLOSE: Final = r"(?:\s?[)\]])?"
_PERIOD: Final = compile_lazily(
    rf"{_OPEN}(?:\b(?:{_SINCE}|{_SAID.text('from')})\s+)?(?:"
    # "Jan – Mar 2021", "01.–03.2021"
    rf"(?P<half>{_MONTH}|{_SEASON}|\b\d{{1,2}}\.?){_TO}"
    rf"(?P<whole>(?:{_MONTH},?|{_SEASON})\s+(?:{_OF})?{_YEAR}|\d{{1,2}}[./]{_YEAR})"
    rf"|(?P<start>{_DATE}|{_SHORT}){_TO}(?:\b(?:{_UNTIL})\s+)?(?P<end>{_END}|{_YY})){_CLOSE}"
    rf"|{_OPEN}(?P<from>{_YEAR})/(?P<to>{_YEAR})\b{_CLOSE}"
    rf"|{_OPEN}\b(?:{_SINCE})\s+(?:(?:the|le|el|il)\s+)?(?P<since>{_DATE}|{_SHORT}){_CLOSE}"
    rf"|{_OPEN}(?P<onwards>{_DATE})\s+onwards?\b{_CLOSE}"
    # A dash that nothing follows in its line, cell or brackets: the position goes on.
    rf"|{_OPEN}(?:(?P<open>{_DATE}|{_SHORT}){_TO}(?:…|\.\.\.)?(?=\s*(?:[)\]|\t]|\s\s|$)){_CLOSE}"
    rf"|(?P<dashed>{_DATE})[–—-](?=\s))|{_OPEN}(?<!\w)(?P<only>{_DATE})\b{_CLOSE}",
    re.I,
)
_STARTS: Final = ("start", "since", "onwards", "open", "dashed", "from")
_CUT: Final = compile_lazily(rf"(?:{_DATE}|{_SHORT}){_TO}$", re.I)  # its end is in the next line
_REST: Final = compile_lazily(rf"\s*{_END}[)\]]?\s*", re.I)
# How long it was is in its dates: "(5 years 9 months)", "· 1 yr 4 mos", as LinkedIn writes it.
_LENGTH: Final = rf"\d{{1,2}}\s?{UNIT}\.?,?(?:\s(?:\w\w?\w?\s)?\d{{1,2}}\s?{UNIT}\.?)?"
_LASTED: Final = compile_lazily(rf"\s*(?:\((?:{_LENGTH}|less than a {UNIT})\)|·\s?{_LENGTH})")
NOW: Final = compile_lazily(rf"(?:(?:{_UNTIL})\s+)?(?:{_SAID.text('now')})(?!\w)", re.I)


def find_period(line: str) -> re.Match[str] | None:
    """Find the first date or period in a line. The match's positions are the line's."""
    return _PERIOD.search(mark_months(line))


def is_cut_period(before: str, line: str) -> bool:
    """Whether a line is only the end of the period that the line before it began.

    >>> is_cut_period("Cook, March 2019 –", "February 2021")
    True
    """
    return bool(_REST.fullmatch(mark_months(line)) and _CUT.search(mark_months(before[-40:])))


def is_length(line: str) -> bool:
    """Whether a line is only a length of time, as LinkedIn sums a firm's positions.

    >>> is_length("4 years 1 month"), is_length("1 an 3 mois"), is_length("4 years at Noma")
    (True, True, False)
    """
    return re.fullmatch(_LENGTH, mark_months(line)) is not None


def is_period_with_length(line: str) -> bool:
    """Whether a line is only a period and its length in brackets, as LinkedIn's PDF has it.

    >>> is_period_with_length("marzo de 2020 - Present (5 años 9 meses)")
    True
    """
    if not line.endswith(")"):
        return False
    marked = mark_months(line)
    period = _PERIOD.match(marked)
    return period is not None and _LASTED.fullmatch(marked, period.end()) is not None


def cut_period(line: str) -> tuple[str, dict[str, str]]:
    """Cut a time span out of a line; return (the rest, its `startDate` and `endDate`).

    A season or a quarter is read as its year.

    >>> cut_period("Cook, Noma (Mar 2019 – today)")
    ('Cook, Noma  ', {'startDate': '2019-03'})
    >>> cut_period("2019–21, Noma")[1], cut_period("Nov – Feb 2021")[1]
    ({'startDate': '2019', 'endDate': '2021'}, {'startDate': '2020-11', 'endDate': '2021-02'})
    """
    marked = mark_months(line)
    match = _PERIOD.search(marked)
    if match is None:
        return line, {}
    first = next((match[name] for name in _STARTS if match[name]), None)
    if first and re.fullmatch(_SHORT, first) and int(first.partition("/")[0]) > 12:
        return line, {}  # 24/7
    last = match["end"] or match["whole"] or match["to"] or match["only"]
    end = _to_iso(last, is_end=True) if last and re.search(r"\d", last) else ""
    start = _to_iso(first) if first else ""
    if match["half"]:
        start = _add_year(match["half"], end)
    elif match["only"] and (years := _split_years(match["only"])):
        start, end = years
    elif start and re.fullmatch(r"\d\d", last or ""):
        end = start[:2] + end[2:]
        if end < start[:4]:
            return line, {}
    dates = {"startDate": start, "endDate": end}
    after = _LASTED.match(marked, match.end())
    rest = line[after.end() if after else match.end() :]
    return f"{line[: match.start()]} {rest}", {key: date for key, date in dates.items() if date}


def _add_year(half: str, end: str) -> str:
    """Return the start of a period whose year only its end names."""
    number = re.match(r"\d+", half)
    month = int(number[0]) if number else _read_month(half)
    if not month or not 1 <= month <= 12:
        return end[:4]
    return f"{int(end[:4]) - (f'{month:02d}' > end[5:])}-{month:02d}"


def _read_month(text: str) -> int | None:
    found = re.search(MONTH, text)
    return get_month(found[0]) if found else None


def _split_years(date: str) -> tuple[str, str] | None:
    """Split "2019/20" and "2008-09", if no period has them as a start or end, into two years."""
    found = re.fullmatch(rf".*?({_YEAR})[/-](\d\d)", date)
    if found is None:
        return None
    years = (int(found[2]) - int(found[1])) % 100
    is_month = int(found[2]) <= 12 and years != 1
    return None if is_month or not 1 <= years <= 50 else (found[1], str(int(found[1]) + years))


def _to_iso(date: str, *, is_end: bool = False) -> str:
    """Convert a marked date to ISO: "Mar 2019" and "03/2019" become "2019-03", "2019" stays.

    is_end: of "2019/20", take the second year.
    """
    found = re.search(_YEAR, date) or re.search(r"\d\d$", date)
    assert found is not None
    year = found[0] if len(found[0]) == 4 else f"{'20' if found[0] < '50' else '19'}{found[0]}"
    month = _read_month(date)
    if month is None:
        before = re.findall(r"\d{1,2}", re.sub(_QUARTER, "", date[: found.start()], flags=re.I))
        after = re.findall(r"\d{1,2}", re.sub(_QUARTER, "", date[found.end() :], flags=re.I))
        if len(before) > 1 and find_order([f"{before[-2]}/{before[-1]}/{year}"]) == "MDY":
            before.pop()
        month = int((after[:1] or before[-1:] or ["0"])[0])
        if is_end and after and month == (int(year) + 1) % 100 > 12:
            year, month = str(int(year) + 1), 0
    return f"{year}-{month:02d}" if 1 <= month <= 12 else year
