"""The profile section by section: topics are answered one by one, the rest stays as it is."""

from __future__ import annotations

import pytest

from plainloop_careers.onboarding import list_missing_topics, list_topics, read_answers
from plainloop_careers.sections import list_sections, set_section
from tests.linear import is_linear
from tests.server.conftest import Served

TOPICS = ("Salary", "Locations")
CASES = {
    "a skipped topic": ("## Salary\n\nSkipped", "Salary", "90k", "## Salary\n\n90k"),
    "an open topic": ("## Sport\n\nGolf", "Salary", "90k", "## Sport\n\nGolf\n\n## Salary\n\n90k"),
    "a name in another case": ("# SALARY:\n80k", "Salary", "90k", "# SALARY:\n\n90k"),
    "a topic in another one": (
        "## Locations\n\nOslo\n\n### Salary\n\n80k\n\n### Cities\n\nBergen",
        *("Salary", "90k"),
        "## Locations\n\nOslo\n\n### Salary\n\n90k\n\n### Cities\n\nBergen",
    ),
    "a topic twice": (
        "## Salary\n\n80k\n\n## Sport\n\nGolf\n\n## Salary\n\n85k",
        *("Salary", "90k"),
        "## Salary\n\n90k\n\n## Sport\n\nGolf",
    ),
    "a label": ("Ann\n- **Salary:** 80k", "Salary", "90k", "Ann\n\n## Salary\n\n90k"),
    "no text": ("Ann\n\n## Salary\n\n90k", "Salary", " ", "Ann"),
    "the text above": ("Ann\n\n## Salary\n\n90k", "", "Bea", "Bea\n\n## Salary\n\n90k"),
    "an emoji": ("Ann\n\n## 🎯\n\nGolf", "🎯", "Chess", "Ann\n\n## 🎯\n\nChess"),
    "headings in the text": ("## Salary", "Salary", "# Now\n90k", "## Salary\n\n### Now\n90k"),
    "sentences of letters": (
        "## Added from letters\n\n- Salary: I saved 3 %.",
        *("Salary", "90k"),
        "## Salary\n\n90k\n\n## Added from letters\n\n- Salary: I saved 3 %.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_setting_a_section_leaves_the_others_as_they_are(case: str):
    before, name, text, after = CASES[case]

    assert set_section(before, TOPICS, name, text) == after


def test_a_sentence_added_from_a_letter_answers_no_topic():
    profile = "## Salary\n\nSkipped\n\n## Added from letters\n\n- Salary: I saved 3 %."

    assert read_answers(profile, TOPICS) == {"Salary": "Skipped", "Locations": ""}
    assert list_missing_topics(profile, TOPICS) == ["Locations"]


def test_a_profile_of_many_headings_is_split_in_linear_time():
    topics = list_topics()

    assert is_linear(lambda text: set_section(text, topics, "Salary", "90k"), "# a\n")
    assert is_linear(lambda text: list_sections(text, topics), "- a: b\n")


async def test_a_topic_of_the_profile_is_answered_over_http(served: Served):
    ann, bob = await served.client("ann"), await served.client("bob")
    content = "Ann Lee\n\n## Salary\n\nSkipped\n\n## Sport\n\nGolf\n\n## Sport\n\nChess"
    await ann.put("/api/profile", json={"content": content})

    before = (await ann.get("/api/profile/interview")).json()
    changed = await ann.patch("/api/profile", json={"name": "Salary", "text": "90k\n\nor more"})
    after = (await ann.get("/api/profile/interview")).json()
    too_long = {"name": "Locations", "text": "x" * 20_000}
    refused = await ann.patch("/api/profile", json=too_long)

    assert (before["answered"], before["skipped"]) == (0, 1)
    salary = {"name": "Salary", "about": "expected pay", "answer": "", "is_skipped": True}
    assert salary in before["topics"]
    assert changed.json()["sections"] == [
        {"name": "", "text": "Ann Lee", "is_topic": False},
        {"name": "Salary", "text": "90k\n\nor more", "is_topic": True},
        {"name": "Sport", "text": "Golf\n\nChess", "is_topic": False},
    ]
    assert (after["answered"], after["skipped"]) == (1, 0)
    assert {**salary, "answer": "90k\n\nor more", "is_skipped": False} in after["topics"]
    assert refused.status_code == 400
    assert (
        refused.json()["error"]["message"] == "the profile would be longer than 20,000 characters"
    )
    assert (await ann.get("/api/profile")).json() == changed.json()
    assert (await bob.get("/api/profile")).json()["sections"] == []
