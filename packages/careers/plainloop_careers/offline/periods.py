"""Dates and periods in a line of a résumé, in four languages."""

from __future__ import annotations

import re
from typing import Final

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january januar jänner janvier enero jan janv ene",
            "february februar février fevrier febrero feb févr fév",
            "march märz maerz mars marzo mar mrz mär",
            "april avril abril apr avr abr",
            "may mai mayo",
            "june juni juin junio jun",
            "july juli juillet julio jul juil",
            "august août aout agosto aug ago",
            "september septembre septiembre setiembre sep sept",
            "october oktober octobre octubre oct okt",
            "november novembre noviembre nov",
            "december dezember décembre decembre diciembre dec dez déc dic",
        ),
        start=1,
    )
    for name in names.split()
}
_MONTH: Final = rf"(?:{'|'.join(sorted(_MONTHS, key=len, reverse=True))})(?![^\W\d_])\.?"
_DATE: Final = (
    rf"(?:\b{_MONTH}\s+(?:de\s+|of\s+)?)?(?:\b\d{{1,2}}[./]){{0,2}}"
    r"(?:19|20)\d{2}(?:[-./]\d{1,2}){0,2}"
)
_OPEN_ENDS: Final = frozenset(
    "present now today current ongoing heute jetzt aktuell laufend présent present actuel"
    " aujourd'hui aujourd’hui actualidad actual presente hoy".split()
)
PERIOD: Final = re.compile(
    rf"(?:[(\[]\s*)?(?P<start>{_DATE})\s*(?:-+>?|–|—|→|to|until|bis|[àa]|au|hasta)\s*(?:la\s+|l['’])?"
    rf"(?P<end>{_DATE}|(?:{'|'.join(_OPEN_ENDS)}|en cours)\b)\s*[)\]]?"
    rf"|[(\[]?\b(?:since|seit|ab|depuis|desde|from)\s+(?P<since>{_DATE})[)\]]?"
    rf"|[(\[]?\b(?P<only>{_DATE})\b[)\]]?",
    re.I,
)
_FROM: Final = re.compile(r"\b(?:de|du|from|von|vom|desde|entre|between)\s*$", re.I)


def cut_period(line: str) -> tuple[str, dict[str, str]]:
    """Return (the line without its period, `startDate` and `endDate` as far as it says them).

    >>> cut_period("Cook, Noma (Mar 2019 – today)")
    ('Cook, Noma  ', {'startDate': '2019-03'})
    >>> cut_period("De 2016 à 2020 : Cuisinier")
    (' : Cuisinier', {'startDate': '2016', 'endDate': '2020'})
    """
    match = PERIOD.search(line)
    if match is None:
        return line, {}
    rest = f"{_FROM.sub('', line[: match.start()])} {line[match.end() :]}"
    return rest, _to_dates(match)


def _to_dates(match: re.Match[str]) -> dict[str, str]:
    if match["since"]:
        return {"startDate": _to_iso(match["since"])}
    if match["only"]:
        return {"endDate": _to_iso(match["only"])}
    dates = {"startDate": _to_iso(match["start"])}
    if re.search(r"\d", match["end"]):
        dates["endDate"] = _to_iso(match["end"])
    return dates


def _to_iso(date: str) -> str:
    """The date as ISO: "Mar 2019", "März 2019" and "03/2019" are "2019-03", "2019" stays."""
    year = re.search(r"(?:19|20)\d{2}", date)
    if year is None:
        return date
    rest = date[: year.start()] + date[year.end() :]
    name = re.search(r"[^\W\d_]{3,}", rest)
    if name and name[0].lower() in _MONTHS:
        return f"{year[0]}-{_MONTHS[name[0].lower()]:02d}"
    numbers = [int(n) for n in re.findall(r"\d{1,2}", rest)]
    if len(numbers) > 1 and year.start() > 0:  # "31.05.2019": the day stands first
        numbers = numbers[1::-1]
    if numbers and 1 <= numbers[0] <= 12 and all(n <= 31 for n in numbers):
        return "-".join([year[0], *(f"{n:02d}" for n in numbers[:2])])
    return year[0]
