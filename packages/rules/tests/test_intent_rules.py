from __future__ import annotations

import os
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.rules.tests.utterances import FAST, NOT_FAST
from plainloop.agent.core.spec import EntitySpec, FieldSpec
from plainloop.agent.errors import ConfigError
from plainloop.agent.types import FastQuery, Filter
from plainloop_rules.entity_words import load_entity_words
from plainloop_rules.language import ENGLISH, parse_language, read_language_file
from plainloop_rules.matching import MAX_CHARS, IntentMatch, match_intent
from tests.tracker.entities import DOCUMENTS, JOBS, TRACKER, format_name

# A word is put into each place of a sentence with AGENT_FUZZ_EXAMPLES set, else into every third.
SHARE = 1 if os.environ.get("AGENT_FUZZ_EXAMPLES") else 3
CONDITION_START = re.compile(r" (?=[\w*#]+(?:>=|<=|=|~|@))")
OPS = {"~": "contains", ">=": "gte", "<=": "lte", "=": "eq", "@since_": "since", "@": "in"}
ORDER = re.compile(r" by (\w+)( desc)?")
LIMIT = re.compile(r" limit (\d+)")
FILTER = re.compile(r"([\w*#]+?)(>=|<=|=|~|@since_|@)(.*)")


def parse_label(label: str) -> tuple[str, str, FastQuery]:
    """`count jobs status=saved` → intent, entity, query."""
    intent, entity, rest = (label + "  ").split(" ", 2)
    rest = " " + rest.strip()
    order, limit = ORDER.search(rest), LIMIT.search(rest)
    conditions = LIMIT.sub("", ORDER.sub("", rest)).strip()
    filters = [parse_filter(item) for item in CONDITION_START.split(conditions)]
    return (
        intent,
        entity,
        {
            "filters": sorted(
                (f for f in filters if f), key=lambda item: (item["field"], item["op"])
            ),
            "order_by": order[1] if order else None,
            "descending": bool(order and order[2]),
            "limit": int(limit[1]) if limit else 0,
        },
    )


def parse_filter(text: str) -> Filter | None:
    match = FILTER.fullmatch(text)
    if not match:
        return None
    field, op, raw = match.groups()
    value: str | int | bool = raw
    if field in ("#", "salary"):
        value = int(raw)
    elif field == "is_favorite":
        value = raw == "true"
    return {"field": field, "op": OPS[op], "value": value}  # pyright: ignore[reportReturnType]


def list_fast() -> list[tuple[str, str]]:
    pairs = [line.split(" => ") for line in FAST.strip().splitlines()]
    return [(text, label) for text, label in pairs]


def describe(text: str, entities: tuple[EntitySpec, ...] = TRACKER, **rest: Any) -> str | None:
    """A match in short: `count tickets state=open`."""
    match = match_intent(text, entities, **rest)
    if match is None:
        return None
    signs = {op: sign for sign, op in OPS.items()}
    filters = [f"{f['field']}{signs[f['op']]}{f['value']}" for f in match.query["filters"]]
    return " ".join([match.fast_intent, match.entity_type, *filters])


def list_not_fast() -> list[str]:
    return [str(line) for line in NOT_FAST.strip().splitlines()]


def to_triple(match: IntentMatch | None) -> tuple[str, str, FastQuery] | None:
    return match and (match.fast_intent, match.entity_type, match.query)


def test_labelled_sentences_are_numerous_and_have_no_duplicates():
    texts = [text for text, _ in list_fast()] + list_not_fast()
    assert len(texts) >= 300
    assert len(set(texts)) == len(texts)


def test_uncertain_sentences_go_to_the_model():
    assert [text for text in list_not_fast() if match_intent(text, TRACKER)] == []


def test_rules_never_match_a_sentence_as_a_different_request():
    found = {text: to_triple(match_intent(text, TRACKER)) for text, _ in list_fast()}
    labels = {text: parse_label(label) for text, label in list_fast()}
    known = {text: triple for text, triple in found.items() if triple is not None}
    print(f"intent rules: recall {len(known)}/{len(labels)}")
    assert known == {text: labels[text] for text in known}


@given(st.text(max_size=400))
def test_rules_match_any_text_without_an_exception(text: str):
    match_intent(text, TRACKER)


WORDS = sorted({word for text, _ in list_fast() for word in text.split()})
NOISE = ["\x00", "\ud800", "\u200b", "\n", *"“ ' \" , . # 🙂 99999999999999999999 ½".split()]


@given(st.lists(st.sampled_from(WORDS + NOISE), max_size=30))
def test_rules_match_known_words_mixed_with_noise_without_exception(words: list[str]):
    match_intent(" ".join(words), TRACKER)


def insert_everywhere(text: str, extra: str) -> list[tuple[str, bool]]:
    """The text with `extra` at every place between its words, and whether that is in quotes."""
    words = text.split()
    found: list[tuple[str, bool]] = []
    for place in range(len(words) + 1):
        before = " ".join(words[:place])
        is_quoted = before.count('"') % 2 == 1 or before.count("“") > before.count("”")
        found.append((" ".join([*words[:place], extra, *words[place:]]), is_quoted))
    return found


@pytest.mark.parametrize(
    "extra", ["not", "and add one", "or not", "except the first", "zqxj", "because", "if"]
)
def test_an_unknown_word_makes_a_fast_path_match_uncertain(extra: str):
    for number, (text, _) in enumerate(list_fast()):
        for changed, is_quoted in insert_everywhere(text, extra)[number % SHARE :: SHARE]:
            match = match_intent(changed, TRACKER)
            if match is not None:  # only as (part of) a name, which is told back
                values = [str(item["value"]) for item in match.query["filters"]]
                assert is_quoted or extra == "zqxj", changed
                assert any(extra in value for value in values), changed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "\n",
        "?",
        "🙂",
        "list my jobs\nlist my jobs",
        "list my jobs\x00",
        "x" * 10_000_000,
    ],
)
def test_empty_huge_and_broken_texts_match_no_rule(text: str):
    assert match_intent(text, TRACKER) is None


def test_texts_beyond_the_length_limit_match_no_rule():
    assert describe("list my jobs" + " please" * 3) == "list jobs"
    assert match_intent("list my jobs" + " please" * MAX_CHARS, TRACKER) is None


def test_matching_many_repeated_words_takes_bounded_time():
    text = "how many jobs " + "i have " * 16 + "now please"
    assert describe(text[:MAX_CHARS]) == "count jobs"


def test_without_entities_no_rule_matches():
    assert match_intent("list my jobs", ()) is None


def test_a_match_names_its_rule_for_explain():
    match = match_intent("How many jobs do I have?", TRACKER)
    assert match == IntentMatch(
        fast_intent="count",
        entity_type="jobs",
        query={"filters": [], "order_by": None, "descending": False, "limit": 0},
        rule="english.how_many",
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("show me the Remote job", None),  # a value, or a company of that name? no name, no lookup
        ("show me the remote Acme job", "lookup jobs *~Acme remote_type=remote"),
        ("SHOW ME THE JOB DESCRIPTION", None),
        ("SHOW ME JOB ACME", None),  # no capital means anything here
        ("open the McDonald’s job", "lookup jobs *~McDonald's"),
        ("open the AT&T job", "lookup jobs *~AT&T"),
        ("open the C3.ai job.", "lookup jobs *~C3.ai"),
        ("list my jobs at Zürich Re", "list jobs company~Zürich Re"),
        ("open the “How many” job", "lookup jobs *~How many"),
        ("open the “” job", None),
        ("open job 99999999999", None),
        ("open job 0", None),
        ("show me 0 jobs", None),
        ("show me my 500 jobs", None),
        ("list my jobs paying over 1.500", None),
        ("list my jobs paying over 1.5k", "list jobs salary>=1501"),
        ("list my saved applied jobs", None),
        ("list my jobs at Acme at Initech", None),
        ("list my jobs by salary by company", None),
    ],
)
def test_names_and_numbers_are_filters_and_contradictions_match_nothing(
    text: str, wanted: str | None
):
    assert describe(text) == wanted


def test_the_word_newest_is_uncertain_if_rows_have_several_dates():
    moved = FieldSpec("moved_at", "moved_at", "date")
    jobs = replace(JOBS, fields=(*JOBS.fields, moved))
    assert describe("show me my last 3 jobs", (jobs,)) == "list jobs"
    assert describe("show me my last 3 applied jobs", (jobs,)) is None
    assert describe("show me my last 3 applied jobs", (JOBS,)) == "list jobs status=applied"


def test_a_word_shared_by_two_entities_makes_a_match_uncertain():
    twin = replace(DOCUMENTS, name="papers", singular="paper", words=("job", "jobs"))
    assert describe("how many jobs do I have?", (JOBS, twin)) is None


def test_a_word_shared_by_two_fields_makes_a_match_uncertain():
    twin = FieldSpec("bonus", "bonus", "int", words=("pay",))
    jobs = replace(JOBS, fields=(*JOBS.fields, twin))
    assert describe("list my jobs with pay over 5", (jobs,)) is None
    assert describe("list my jobs with salary over 5", (jobs,)) == "list jobs salary>=6"


TICKETS = EntitySpec(
    name="support_tickets",
    table="tickets",
    id_column="ticket_id",
    singular="ticket",
    words=("ticket", "issue"),  # plurals are known without being listed
    fields=(
        FieldSpec("subject", "subject", is_lookup=True),
        FieldSpec(
            "state",
            "state",
            "enum",
            values={"open": ("open",), "closed": ("closed", "resolved"), "new": ("new",)},
        ),
        FieldSpec("priority", "priority", "int", words=("priority",)),
    ),
    title=format_name,
    default_order="priority",
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("how many open tickets do I have?", "count support_tickets state=open"),
        ("list my closed issues", "list support_tickets state=closed"),
        ("which tickets have I resolved", "list support_tickets state=closed"),
        ("which tickets did I close?", "list support_tickets state=closed"),
        ("show ticket #12", "lookup support_tickets #=12"),
        ("open the Printer ticket", "lookup support_tickets *~Printer"),
        ("show me my tickets with priority at least 3", "list support_tickets priority>=3"),
        ("open a ticket", None),
        ("close ticket 3", None),
        ("list my newest tickets", None),  # no date to sort by
        ("list my jobs", None),
    ],
)
def test_the_grammar_reads_requests_for_an_unknown_packs_entities(text: str, wanted: str | None):
    assert describe(text, (TICKETS,)) == wanted


PLATT = """
plural_look = 'n$'
owning = ["own_clause", "own_link"]
state_endings = ["t"]
plural_forms = [['(.*)', '\\1n']]

[numbers]
dree = 3

[rules]
wovele = { intent = "count", pattern = "wovele MANY CLAUSES" }

[phrases]
wovele = ["woveel", "wo vele"]
own_clause = ["heff ik"]
own_link = ["heff ik"]
"""


def test_rules_read_a_language_that_one_file_adds():
    platt = parse_language("platt", tomllib.loads(PLATT))
    saved = FieldSpec("status", "status", "enum", values={"saved": ("opwohrt",)})
    jobs = replace(JOBS, words=("Stede", "Steden"), fields=(saved,))
    text = "Wo vele Steden heff ik opwohrt?"
    assert describe(text, (jobs,), languages=(ENGLISH,)) is None
    assert describe(text, (jobs,), languages=(ENGLISH, platt)) == "count jobs status=saved"
    assert describe("Wo vele Steden heff ik nich?", (jobs,), languages=(platt,)) is None


def test_a_noun_phrase_alone_is_uncertain_after_a_question():
    assert match_intent("my saved jobs", TRACKER) is not None
    assert match_intent("my saved jobs", TRACKER, is_reply=True) is None
    assert match_intent("list my saved jobs", TRACKER, is_reply=True) is not None
    assert match_intent("jobs", TRACKER) is None


@pytest.mark.parametrize("text", ["x = [1,", "articles = 7\n", "\udcff"])
def test_a_damaged_language_file_is_named(text: str, tmp_path: Path) -> None:
    path = tmp_path / "platt.toml"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(ConfigError, match="the language file .*platt.toml cannot be read"):
        read_language_file(path, parse_language)
    with pytest.raises(ConfigError, match="the language file .*platt.toml cannot be read"):
        load_entity_words(tmp_path)
