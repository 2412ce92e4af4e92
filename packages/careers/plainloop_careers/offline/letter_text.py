"""A cover letter's sentences: what the résumé states, told by what the posting asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from plainloop.agent.base.text.cleaning import fold
from plainloop.agent.base.text.foreign_json import as_list, as_object, list_objects, to_list
from plainloop.agent.dataclasses import dataclass
from plainloop_rules.matching import measure_languages
from plainloop_rules.offline.brain.rows import Row

from ..files import Patterns
from ..letters.grounding.words import load_phrases, load_words, split_words, to_stem
from ..letters.wishes import LANGUAGES
from ..resumes.review import is_fragment
from ..resumes.titles import is_title
from .resumes import is_heading

_SAID: Final = Patterns(__file__)
_YEAR: Final = re.compile(r"\b(?:19|20)\d{2}\b")
_NOT_PAST: Final = frozenset(_SAID.text("not_past").split())
_PAST: Final = frozenset(_SAID.text("past").split())
_PRESENT: Final = frozenset(_SAID.text("present").split())
_TELLS_NOTHING: Final = frozenset(map(to_stem, _SAID.text("tells_nothing").split()))
_SENTENCE: Final = _SAID.compile("sentence")
_INCLUDED: Final = "my work included"
_PARTS: Final = re.compile(r"[,;:.] | and ")
_ITEM: Final = re.compile(r"^[^\S\n]{0,9}(?:[-•*–·]|\d{1,2}[.)])[^\S\n]{1,9}(\S.*)$", re.M)
_RESPONSIBLE: Final = re.compile(r"(?:was |am )?(responsible for|in charge of) ", re.I)
_POSTING_KEYS: Final = ("title", "requirements", "nice_to_haves", "description", "notes", "tags")
_MAX_POSTS, _MAX_DEEDS, _MAX_ASKS, _MAX_SKILLS = 2, 2, 2, 6
_ASK_CHARS: Final = 80
_FOREIGN_SHARE: Final = 0.15  # of a text's words; prose of a language has twice as many


@dataclass(frozen=True, slots=True)
class _Post:
    """An employment with what is told of it. deeds: the lines nearest to the posting first."""

    entry: dict[str, Any]
    deeds: list[str]
    fit: int  # how many words of the posting's requirements its deeds share


def compose_letter(job: Row, resume: dict[str, Any]) -> str:
    """Write a cover letter from the facts of a résumé, without a model."""
    company, title = _get_text(job, "company"), _get_text(job, "title") or "open"
    contact = _get_text(job, "contact_name")
    at = f" at {company.rstrip('.')}" if company else ""
    opening = f"I am applying for the {title} position{at}."
    asks = _list_asks(job)
    posts = _choose_posts(resume, asks)
    total = len(asks)
    bodies = [_tell_post(post, asks, posts[0], is_more=len(asks) < total) for post in posts]
    bodies += [_tell_skills(resume, job), _tell_education(resume)]
    greeting = f"Dear {company} hiring team," if company else "Dear hiring team,"
    if contact and "@" not in contact and len(contact.split()) > 1:
        greeting = f"Dear {contact},"
    closing = "I would welcome the chance to talk about this role with you."
    signature = "\n".join(part for part in ("Kind regards,", get_name(resume)) if part)
    return "\n\n".join([greeting, opening, *filter(None, bodies), closing, signature])


def get_name(resume: dict[str, Any]) -> str:
    """Return the person's name in a résumé; "" if it is missing or is a heading."""
    name = _get_text(as_object(resume.get("basics")), "name")
    return "" if is_heading(name) else name


def is_foreign(resume: dict[str, Any]) -> bool:
    """Whether the résumé's work entries are not in English, so that a letter cannot use them."""
    work = list_objects(resume.get("work"))
    lines = [line for entry in work for line in _list_texts(entry, "highlights")]
    return _is_foreign(" ".join([*lines, *(_get_text(entry, "summary") for entry in work)]))


def _list_asks(job: Row) -> list[str]:
    """List the posting's requirements that are short enough for a sentence, the important first.

    A posting in another language than the letter's gives none.
    """
    texts = [str(job.get(key) or "") for key in ("requirements", "nice_to_haves")]
    if not any(texts):
        texts = ["\n".join(_ITEM.findall(str(job.get(key) or ""))) for key in ("notes",)]
    if _is_foreign(" ".join(texts)):
        return []
    lines = (line.strip(" \t-•*.;") for text in texts for line in text.splitlines())
    return [
        line
        for line in dict.fromkeys(lines)
        if 2 < len(line) <= _ASK_CHARS and not _SENTENCE.match(line)
    ]


def _choose_posts(resume: dict[str, Any], asks: Sequence[str]) -> list[_Post]:
    """Choose the newest employment and the one that fits the posting best, in résumé order."""
    wanted = frozenset[str]().union(*map(_list_stems, asks))
    tells = not is_foreign(resume)
    posts = [
        _read_post(entry, wanted if tells else None)
        for entry in list_objects(resume.get("work"))
        if (heads := [text for key in ("position", "name") if (text := _get_text(entry, key))])
        and not any(map(is_fragment, heads))
    ]
    posts.sort(key=lambda post: _get_text(post.entry, "endDate") or "9", reverse=True)
    rest = sorted(posts[1:], key=lambda post: -post.fit)[: _MAX_POSTS - 1]
    return [post for post in posts if post is posts[0] or post in rest]


def _read_post(entry: dict[str, Any], wanted: frozenset[str] | None) -> _Post:
    """Read an employment with its lines that fit the posting best."""
    if wanted is None:
        return _Post(entry, [], 0)
    lines = _list_texts(entry, "highlights") or [_get_text(entry, "summary")]
    whole = [line for line in lines if line and not is_fragment(line) and not _is_foreign(line)]
    deeds = sorted(whole, key=lambda line: -len(_list_stems(line) & wanted))[:_MAX_DEEDS]
    fit = sum(len(_list_stems(line) & wanted) for line in deeds)
    return _Post(entry, [line for line in whole if line in deeds], fit)


def _tell_post(post: _Post, asks: list[str], newest: _Post, *, is_more: bool) -> str:
    """Write the paragraph on one employment: which requirements it meets, and what was done.

    Requirements that it uses are removed from `asks`; is_more: an earlier paragraph used some.
    """
    shown = frozenset[str]().union(*map(_list_stems, post.deeds))
    taken = [ask for ask in asks if _list_stems(ask) & shown][:_MAX_ASKS]
    asks[:] = [ask for ask in asks if ask not in taken]
    phrases = [_add_article(_to_phrase(ask)) for ask in taken]
    word = " as well as " if any(" and " in phrase for phrase in phrases) else " and "
    lead = f"You {'also ' if is_more else ''}ask for {word.join(phrases)}. " if taken else ""
    place = _name_post(post.entry)
    ended, begun = _get_text(post.entry, "endDate")[:4], _get_text(newest.entry, "startDate")[:4]
    is_before = post is not newest and "" < ended <= begun
    first, *rest = [*map(_tell_deed, post.deeds), ""]
    if not first:
        return f"{lead}{'Before that, I worked' if is_before else 'I have worked'} {place}."
    # "I moved … and cut …", where neither has a second part of its own.
    if rest[0].startswith("I ") and first.startswith("I ") and not _PARTS.search(first + rest[0]):
        first, rest = f"{first} and {rest[0].removeprefix('I ')}", rest[1:]
    again = "my work also included"
    if first.startswith(_INCLUDED):
        again = "it also included"
        first = f"my work {place} included{first.removeprefix(_INCLUDED)}"
    else:
        first = f"{place}, {first}"
    more = [re.sub("^I ", "I also ", said) for said in rest if said]
    more = [said.replace(_INCLUDED, again, 1) for said in more]
    told = [f"before that, {first}" if is_before else first, *more]
    return lead + " ".join(f"{said[0].upper()}{said[1:]}." for said in told)


def _tell_deed(line: str) -> str:
    """Turn a résumé's line into a clause about the candidate: "Moved 40 pipelines" → "I moved …".

    >>> [_tell_deed(line) for line in ("Leads a team of 4.", "Managing stock", "Weekly rotas")]
    ['I lead a team of 4', 'my work included managing stock', 'my work included weekly rotas']
    """
    text = line.strip().rstrip(".")
    first, _, rest = text.partition(" ")
    word = first.casefold().strip(",;:")
    if responsible := _RESPONSIBLE.match(text):
        return f"I was {responsible[1].lower()} {text[responsible.end() :]}"
    if text.startswith(("I ", "I’", "I'")):
        return text
    if word in _PAST or (word.endswith("ed") and word not in _NOT_PAST):
        return f"I {first.lower()} {rest}"
    base = next((form for form in _list_bases(word) if form in _PRESENT), None)
    if base and rest:
        return f"I {base} {rest}"
    return f"{_INCLUDED} {_to_phrase(text)}"


def _list_bases(word: str) -> Iterator[str]:
    """Yield base forms that a verb in the third person may have: "carries" → "carry"."""
    yield word
    if word.endswith("ies"):
        yield f"{word[:-3]}y"
    if word.endswith("es"):
        yield word[:-2]
    if word.endswith("s"):
        yield word[:-1]


def _name_post(entry: dict[str, Any]) -> str:
    """Describe an employment as `as Cook at Noma (2019–2021)`, with the parts that are known."""
    position, name = _get_text(entry, "position"), _get_text(entry, "name")
    where = f"at {name}" if name else ""
    return _date(" ".join(filter(None, (position and f"as {position}", where))), entry)


def _tell_skills(resume: dict[str, Any], job: Row) -> str:
    """Write the sentence on skills: those that the posting names, else the résumé's first ones."""
    groups = list_objects(resume.get("skills"))
    skills = list(dict.fromkeys(skill for group in groups for skill in _list_skills(group)))
    texts = [str(item) for key in _POSTING_KEYS for item in to_list(job.get(key)) if item]
    posting = fold(" ".join(texts))
    shared = [s for s in skills if re.search(rf"(?<!\w){re.escape(fold(s))}(?!\w)", posting)]
    if not shared and is_foreign(resume):
        return ""
    *more, last = (shared or skills)[:_MAX_SKILLS] or [""]
    listed = f"{', '.join(more)} and {last}" if more else last
    lead = "Of the skills that you name, I bring" if shared else "My skills include"
    return f"{lead} {listed}." if listed else ""


def _list_skills(group: dict[str, Any]) -> list[str]:
    """List a group's skills, and its name if that is a skill too ("Python: asyncio")."""
    name, keywords = _get_text(group, "name"), _list_texts(group, "keywords")
    return [name, *keywords] if name and (_is_name(name) or not keywords) else keywords


def _tell_education(resume: dict[str, Any]) -> str:
    """Write one sentence on the newest studies; "" if the résumé has none."""
    entry = next(iter(list_objects(resume.get("education"))), dict[str, Any]())
    degree, area, school = (_get_text(entry, key) for key in ("studyType", "area", "institution"))
    if not area or not degree:
        said = ", ".join(filter(None, (degree or area, school)))
        return f"My education: {_date(said, entry)}." if said else ""
    the = "the " if re.match(r"(?:technical )?university of ", school, re.I) else ""
    at = f" at {the}{school}" if school else ""
    return f"I studied {_date(f'{area}{at}', entry, degree)}."


def _to_phrase(text: str) -> str:
    """Prepare a phrase for use within a sentence: lower its first letter, unless it is a name.

    >>> [_to_phrase(text) for text in ("Timber construction", "Python at scale", "SEO")]
    ['timber construction', 'Python at scale', 'SEO']
    """
    first, _, rest = text.partition(" ")
    is_plain = first.casefold() in load_words("plain_words")
    is_plain |= rest[:1].islower() and not _is_name(first)
    return f"{text[0].lower()}{text[1:]}" if is_plain and first[1:].islower() else text


def _add_article(phrase: str) -> str:
    """Add an article to a short phrase that names a profession: `a registered nurse`."""
    is_one = is_title(phrase) and len(phrase.split()) < 4 and not phrase.endswith("s")
    return f"{'an' if phrase[0] in 'aeio' else 'a'} {phrase}" if is_one else phrase


def _is_name(word: str) -> bool:
    return "".join(split_words(word)) in load_phrases("skills") or word.casefold() in LANGUAGES


def _list_stems(text: str) -> frozenset[str]:
    """Return the stems of a text's meaningful words, to compare what texts are about."""
    plain = load_words("function_words")
    stems = {to_stem(word) for word in split_words(text) if word not in plain and len(word) > 1}
    return frozenset(stems - _TELLS_NOTHING)


def _is_foreign(text: str) -> bool:
    """Whether a text is surely in another language than English, the letter's."""
    shares = measure_languages(text[:4_000])
    english = shares.pop("english")
    return max(shares.values()) > max(english, _FOREIGN_SHARE)


def _date(text: str, entry: dict[str, Any], about: str = "") -> str:
    """Append an entry's years to a text: "(2013–2014)", "(since 2019)"; nothing if unknown.

    about: what stands before them in the brackets.
    """
    found = (_YEAR.search(_get_text(entry, key)) for key in ("startDate", "endDate"))
    start, end = (match[0] if match else "" for match in found)
    period = f"since {start}" if start and not end else "–".join(dict.fromkeys((start, end)))
    said = ", ".join(filter(None, (about, period.strip("–"))))
    return f"{text} ({said})" if said else text


def _get_text(entry: dict[str, Any], key: str) -> str:
    value = entry.get(key)
    return " ".join(value.split()) if isinstance(value, str) else ""


def _list_texts(entry: dict[str, Any], key: str) -> list[str]:
    items = as_list(entry.get(key))
    return [item.strip() for item in items if isinstance(item, str) and item.strip()]
