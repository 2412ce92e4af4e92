"""Planted false facts are caught, true sentences pass, and sources are named."""

from __future__ import annotations

import json
import re
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from packages.careers.tests.letters import CANDIDATES, LETTERS, SENTENCES, TODAY, Candidate
from plainloop.agent.core.spec import Check
from plainloop_careers.letters import grounding
from plainloop_careers.letters.answers import extract_letter
from plainloop_careers.letters.grounding import check_grounding
from plainloop_careers.letters.grounding.sentences import split_letter

DEVELOPER, NURSE = CANDIDATES["developer"], CANDIDATES["nurse"]
# A false noun among true ones: no rule without a model tells it.
NOT_CAUGHT = "I founded a chess club with 45 pupils."
TRUE = [one for one in SENTENCES if one.is_true]


def check(candidate: Candidate, letter: str) -> Check:
    return check_grounding(letter, candidate.resume, candidate.profile, candidate.job, today=TODAY)


def test_false_facts_in_a_letter_are_reported() -> None:
    false = [one for one in SENTENCES if not one.is_true]
    found = {one: check(CANDIDATES[one.name], one.text).problems for one in false}
    assert [one.text for one in false if not found[one]] == [NOT_CAUGHT]
    claimed = [one for one in false if one.claim]
    named = [one for one in claimed if one.claim.casefold() in " ".join(found[one]).casefold()]
    print(f"planted {len(claimed)}, named {len(named)}; true sentences {len(TRUE)}")
    assert len(named) / len(claimed) >= 0.95


def test_true_sentences_of_a_letter_are_not_reported() -> None:
    assert [one for one in TRUE if check(CANDIDATES[one.name], one.text).problems] == []


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("45.000 Kunden", "45,000 customers"),
        ("4,5 Millionen Euro", "4.5 million euros"),
        ("12,5 %", "12.5%"),
        ("1.234,50 Euro", "1,234.50 euros"),
    ],
)
def test_numbers_of_a_letter_in_another_countrys_spelling_are_known(said: str, known: str) -> None:
    work = {"name": "Noma", "position": "Cook", "highlights": [f"Reached {known}"]}
    resume = {"basics": {"name": "Ann Lee"}, "work": [work]}
    for number in (said, said.replace("4", "7").replace("12", "71")):
        found = check_grounding(f"Bei Noma habe ich {number} erreicht.", resume, "", {})
        assert bool(found.problems) == (number != said), number


@pytest.mark.parametrize("mark", ["PS:", "P.S.", "PS", "NB:", "P. S.:"])
def test_a_postscript_is_checked_like_the_text_above_the_signature(mark: str) -> None:
    resume = {"basics": {"name": "Ann Lee"}, "work": [{"name": "Noma", "position": "Cook"}]}
    letter = f"Dear team,\n\nI cook at Noma.\n\nKind regards,\nAnn Lee\n\n{mark} I led 900 people."
    (problem,) = check_grounding(letter, resume, "", {}).problems
    assert "900" in problem
    assert (
        check_grounding(letter.replace("I led 900 people", "I cook"), resume, "", {}).problems == ()
    )


def test_a_false_fact_inserted_into_a_true_letter_is_reported() -> None:
    alarms = {name: check(CANDIDATES[name], text).problems for name, text in LETTERS.items()}
    assert alarms == dict.fromkeys(LETTERS, ())
    missed: list[str] = []
    for one in SENTENCES:
        is_planted = one.claim and one.text.endswith(".") and one.text != NOT_CAUGHT
        if is_planted and one.name in LETTERS:
            body, _, closing = LETTERS[one.name].rpartition("\n\n")
            if not check(CANDIDATES[one.name], f"{body}\n\n{one.text}\n\n{closing}").problems:
                missed.append(one.text)
    assert missed == []


def test_letters_of_a_real_model_are_marked_only_at_false_claims() -> None:
    """`letters/by_a_model.jsonl`: ten postings, a true letter each, and a claim planted in it."""
    lines = (Path(__file__).parent / "letters" / "by_a_model.jsonl").read_bytes().splitlines()
    for case in map(json.loads, lines):
        candidate = CANDIDATES[case["name"]]._replace(job=case["job"])
        answer = f"Here is the letter:\n\n{case['letter']}\n\nShall I change anything?"
        assert extract_letter(answer) == case["letter"]
        assert check(candidate, case["letter"]).problems == (), case["job"]["title"]
        body, _, closing = case["letter"].rpartition("\n\n")
        planted = f"{body}\n\n{case['planted']}\n\n{closing}"
        assert check(candidate, planted).problems, case["planted"]
    assert len(lines) == 10


def test_a_sentences_dates_are_traced_to_the_position_that_it_names() -> None:
    said = "I worked at Kastrup Analytics from 2016 to 2020."
    (found,) = check(DEVELOPER, said).sources
    assert found["sources"] == [
        "resume.work[1].startDate",
        "resume.work[1].endDate",
        "resume.work[1].name",
    ]


@pytest.mark.parametrize(
    ("said", "sources", "is_false"),
    [
        ("I won the Malmö chess prize twice.", (), True),
        ("I would be glad to show you in Malmö what I built.", (), False),
        ("I live in Malmö.", ("resume.basics.location.city",), False),
        ("I am based in Malmö and can start at once.", ("resume.basics.location.city",), False),
    ],
)
def test_the_candidates_place_proves_only_where_they_live(
    said: str, sources: tuple[str, ...], is_false: bool
) -> None:
    found = check(DEVELOPER, said)
    assert [path for one in found.sources for path in one["sources"]] == [*sources]
    assert bool(found.problems) == is_false


def test_a_prize_of_a_letter_is_known_by_an_award_of_the_resume() -> None:
    marketer, said = CANDIDATES["marketer"], "I am proud of the Golden Spoon prize."
    assert check(marketer, said).problems == ()
    assert check(marketer, said).sources
    assert check(DEVELOPER, "I am proud of my prize.").problems


LETTER = """Mara Lindqvist
Malmö, 21 November 2026

Northwind Traders
Copenhagen

Dear Mr. Berg,

I am excited to apply for the **Platform Engineer** position at Northwind Traders. At Fjord
Payments I lead a team of six engineers, and I reduced our AWS spending by 30%.

- Python, Go and PostgreSQL
- Kafka pipelines for 1.2 million events per day

I look forward to hearing from you.

Best regards,
Mara Lindqvist
mara@lindqvist.example | +46 70 123 45 67
"""


def test_a_whole_letter_lists_the_sources_of_its_factual_sentences() -> None:
    found = check(DEVELOPER, LETTER)
    assert found.problems == ()
    sources = {item["sentence"]: item["sources"] for item in found.sources}
    assert "Dear Mr. Berg," not in sources  # a greeting claims nothing
    assert sources["Python, Go and PostgreSQL"] == [
        "resume.work[1].highlights[1]",
        "resume.skills[0].keywords[1]",
    ]
    assert "I look forward to hearing from you." not in sources


def test_a_letter_signed_with_another_name_is_reported() -> None:
    found = check(DEVELOPER, LETTER.replace("Mara Lindqvist", "Maria Lindholm"))
    assert found.problems == ("“Maria Lindholm” is not in the résumé or the profile.",)


def test_a_claimed_skill_that_only_the_posting_has_is_reported() -> None:
    found = check(DEVELOPER, "I have years of experience with Terraform.")
    assert found.problems == (
        "“Terraform” is in the posting, but not in the résumé or the profile.",
    )


@pytest.mark.parametrize(
    "greeting",
    [
        "Madame, Monsieur,",
        "Chère Madame Berg,",
        "Estimada Señora Berg:",
        "Estimados señores:",
        "Sehr geehrte Frau Berg,",
        "Geachte mevrouw Berg,",
        "Hola Jonas,",
    ],
)
def test_words_of_a_greeting_are_not_checked_as_names(greeting: str) -> None:
    assert check(DEVELOPER, f"{greeting}\n\nI know Python.").problems == ()


def test_the_name_in_the_greeting_is_checked_in_every_language() -> None:
    for greeting in ("Bonjour Madame López,", "Estimada Señora López:", "Hola López,"):
        problems = check(DEVELOPER, f"{greeting}\n\nI know Python.").problems
        assert problems == ("“López” is not in the résumé or the profile.",)


def test_checking_an_empty_letter_or_resume_raises_no_error() -> None:
    assert check_grounding("", {}, "", {}) == Check()
    assert check_grounding("Dear Ms. Hale,\n\nI know Python.", {}, "", {}).problems


def test_years_at_a_current_position_count_until_today() -> None:
    sentence = "I have spent over six years at Fjord Payments."
    assert check(DEVELOPER, sentence).problems == ()
    early = check_grounding(sentence, DEVELOPER.resume, "", {}, today=TODAY.replace(year=2022))
    assert early.problems


def test_letters_are_checked_against_the_usable_parts_of_odd_resumes() -> None:
    resume: dict[str, Any] = {
        "work": [{"name": "Acme", "startDate": "soon"}, "text", None, {"highlights": None}],
        "languages": "English",
        "skills": [["Python"], 7],
        "basics": None,
    }
    assert check_grounding("I worked at Acme with Python.", resume, "", {}).problems == ()


@pytest.mark.parametrize("text", ["a" * 50_000, "Aa " * 20_000, "2019-" * 9000, "[a " * 9000])
def test_a_huge_letter_is_checked_quickly(text: str) -> None:
    began = time.process_time()
    assert check(DEVELOPER, text).problems[0] == "The letter is longer than 12000 characters."
    assert time.process_time() - began < 30  # minutes without the limits


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_checking_any_letter_raises_no_error(text: str) -> None:
    found = check(NURSE, text)
    assert all(problem.strip() for problem in found.problems)


@settings(max_examples=50, deadline=None)
@given(
    st.recursive(
        st.none() | st.text() | st.integers(),
        lambda x: (
            st.lists(x)
            | st.dictionaries(
                st.sampled_from(["work", "name", "basics", "skills", "startDate", "languages"]), x
            )
        ),
        max_leaves=8,
    )
)
def test_indexing_any_resume_raises_no_error(value: Any) -> None:
    resume = value if isinstance(value, dict) else {"x": value}
    check_grounding("I am Ann, at Acme since 2019, 40% better at Python.", resume, "", {})


@pytest.mark.parametrize("signed", ["Lebenslauf", "Curriculum Vitae", "Résumé", "CV", "Experience"])
def test_a_resume_heading_is_not_used_as_signature(signed: str) -> None:
    letter = f"Dear team,\n\nI am applying.\n\nKind regards,\n{signed}"

    (problem,) = check(DEVELOPER, letter).problems
    assert signed in problem


def test_a_letter_is_signed_by_the_person_of_the_resume() -> None:
    letter = "Dear team,\n\nI am applying.\n\nKind regards,\n"
    name = DEVELOPER.resume["basics"]["name"]

    assert check(DEVELOPER, letter + name).problems == ()
    assert check(DEVELOPER, letter + name.split()[0]).problems == ()
    assert any("Bob Stone" in said for said in check(DEVELOPER, letter + "Bob Stone").problems)


@pytest.mark.parametrize(
    "text",
    [
        "I kept the service at 99.95 % and ran v2.4.1 of acme.com.",
        "I asked Dr. Lee at Acme Inc. Berlin about it.",
        "Ich habe z. B. Teams geleitet, d. h. Menschen, ca. 5 an der Zahl.",
        "I know Node.js, the U.S. Army and e.g. Rust.",
    ],
)
def test_a_dot_within_a_sentence_does_not_end_it(text: str) -> None:
    assert [one.text for one in split_letter(f"{text} I cook.")] == [text, "I cook."]


def test_the_console_knows_the_same_abbreviations_as_the_service() -> None:
    screen = (Path(grounding.__file__).parents[2] / "screens/claims.js").read_text("utf-8")
    patterns = tomllib.loads(Path(grounding.__file__).with_name("patterns.toml").read_text("utf-8"))
    own = re.search(r"ABBREVIATION = new RegExp\((.*?)\);", screen, re.DOTALL)
    assert own
    assert re.findall(r"String\.raw`(.*)`", own[1]) == patterns["sentences"]["abbreviation"]


def test_a_clause_that_only_the_posting_supports_is_not_proven_with_its_sentence() -> None:
    work = {"name": "Initech", "position": "Engineer", "highlights": ["Led a team of five"]}
    resume = {"basics": {"name": "Ann Lee"}, "work": [work]}
    text = "I led a team of five, all of them certified by Kestrel."

    found = check_grounding(text, resume, "", {"company": "Kestrel"})

    source = "resume.work[0].highlights[0]"
    assert found.sources == ({"sentence": "I led a team of five", "sources": [source]},)
