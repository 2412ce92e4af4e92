"""The profile interview: its topics are headings of the profile, so it resumes where that ends."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from plainloop.agent.base.text.gibberish import is_gibberish
from plainloop.agent.core.seams import RunView
from plainloop.agent.core.spec import Interview, WorkerSpec
from plainloop.agent.core.state import AgentState

from .files import load_prompt
from .profile import build_prompt_context
from .store import get_owner, load_profile, load_prompt_facts, save_onboarded

MARKER: Final = "[ONBOARDING_COMPLETE]"
PROMPT: Final = "onboarding"
SKIPPED: Final = "Skipped"  # stands below a topic that the user left out
SKIPPED_NOTES: Final = (SKIPPED, "Prefers not to say")  # the latter in older profiles
_TOPIC: Final = re.compile(r"^- ([^:\n]+): *(.*)$", re.M)
# Signs behind the name are left to `_fold`: a pattern for them took seconds for 20,000 spaces
# (test_a_profile_of_spaces_is_read_without_delay).
_HEADING: Final = re.compile(r"\s{0,3}(#{1,6})\s+(.*)")
_LABEL: Final = re.compile(r"\s*+(?:[-*+]\s++)?[*_]*([^:*_]+)[*_]*:[*_]*\s*(.*)$")


def make_onboarding() -> WorkerSpec:
    """Build the worker that interviews the user for the profile, one question at a time."""
    prompt = load_prompt(PROMPT)
    topics = tuple(list_topics())

    async def list_missing(state: AgentState, ctx: RunView) -> tuple[str, ...]:
        profile = await load_profile(ctx.store.read(ctx.tenant_id), get_owner(ctx))
        return tuple(list_missing_topics(profile["content"], topics))

    async def tell_missing(state: AgentState, ctx: RunView) -> str:
        facts = await load_prompt_facts(ctx.store.read(ctx.tenant_id), get_owner(ctx))
        missing = ", ".join(list_missing_topics(facts["content"], topics)) or "nothing"
        return f"{build_prompt_context(facts)}\n\nStill missing: {missing}"

    return WorkerSpec(
        name="profile_interview",
        description="the interview for the user's profile",
        prompt=prompt,
        tools=("read_user_profile", "update_user_profile"),
        interview=Interview(
            list_missing=list_missing,
            marker=MARKER,
            load_prompt=tell_missing,
            complete=complete,
            closing="Thank you, your profile is complete.",
        ),
    )


def list_topics() -> dict[str, str]:
    """Return the interview's topics by name, in order, with their descriptions."""
    return dict(_TOPIC.findall(load_prompt(PROMPT)))


async def complete(ctx: RunView) -> None:
    """Mark the profile as complete, in the transaction of the step that ends the interview."""
    db = await ctx.journal.open_transaction()
    await save_onboarded(db, get_owner(ctx))


def list_missing_topics(profile: str, topics: Iterable[str]) -> list[str]:
    """List the topics on which the profile says nothing.

    >>> list_missing_topics("## City\\n\\n### Now\\n\\nOslo", ("City", "Salary"))
    ['Salary']
    >>> list_missing_topics("- **City:** Oslo\\n\\n## Salary\\n\\n## Strengths", ("City", "Salary"))
    ['Salary']
    """
    return [topic for topic, text in read_answers(profile, topics).items() if not text]


def read_answers(profile: str, topics: Iterable[str]) -> dict[str, str]:
    """Map each topic to what the profile says about it; "" if nothing.

    >>> read_answers("## City\\n\\nOslo\\n\\n- Salary: much", ("City", "Salary", "Tone"))
    {'City': 'Oslo\\n- Salary: much', 'Salary': 'much', 'Tone': ''}
    """
    told: dict[str, list[str]] = {}
    for name, text in _list_told(profile):
        told.setdefault(_fold(name), []).append(text)
    return {topic: "\n".join(told.get(_fold(topic), ())) for topic in topics}


def find_gibberish(profile: str) -> str | None:
    """Return the first topic on which the profile has only gibberish; None if there is none.

    >>> find_gibberish("## Salary\\n\\nasdf"), find_gibberish("## Salary\\n\\n90k")
    ('Salary', None)
    """
    answers = read_answers(profile, list_topics())
    return next((topic for topic, text in answers.items() if is_gibberish(text)), None)


def _list_told(profile: str) -> list[tuple[str, str]]:
    """List (heading or label, line) for each line of text below a heading or after a label."""
    told: list[tuple[str, str]] = []
    above: list[tuple[int, str]] = []  # the headings that the line stands below, with their level
    for line in profile.splitlines():
        if heading := _HEADING.match(line):
            level = len(heading[1])
            above = [*(item for item in above if item[0] < level), (level, heading[2])]
            continue
        if line.strip():
            told.extend((name, line.strip()) for _, name in above)
        if (label := _LABEL.match(line)) and label[2]:
            told.append((label[1], label[2]))
    return told


def _fold(name: str) -> str:
    return " ".join(re.findall(r"\w+", name.casefold()))
