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
from .sections import fold_name, list_labelled, list_sections
from .store import get_owner, load_profile, load_prompt_facts, save_onboarded

MARKER: Final = "[ONBOARDING_COMPLETE]"
PROMPT: Final = "onboarding"
SKIPPED: Final = "Skipped"  # stands below a topic that the user left out
SKIPPED_NOTES: Final = (SKIPPED, "Prefers not to say")  # the latter in older profiles
_TOPIC: Final = re.compile(r"^- ([^:\n]+): *(.*)$", re.M)


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
            closing="Thank you, that was the last question.",
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
    {'City': 'Oslo\\n\\n- Salary: much', 'Salary': 'much', 'Tone': ''}
    >>> read_answers("## City\\n\\nOslo\\n\\nSkipped", ["City"])
    {'City': 'Oslo'}
    """
    names = list(topics)
    told: dict[str, list[str]] = {}
    for section in list_sections(profile, names):
        for key, text in ((section.key, section.text), *list_labelled(section)):
            told.setdefault(key, []).extend([text] if text else [])
    return {name: _drop_skipped("\n".join(told.get(fold_name(name), ()))) for name in names}


def _drop_skipped(answer: str) -> str:
    """Remove the notes that a topic was skipped from an answer that says something else, too."""
    lines = [line for line in answer.splitlines() if line.strip() not in SKIPPED_NOTES]
    return "\n".join(lines).strip() or answer


def find_gibberish(profile: str) -> str | None:
    """Return the first topic on which the profile has only gibberish; None if there is none.

    >>> find_gibberish("## Salary\\n\\nasdf"), find_gibberish("## Salary\\n\\n90k")
    ('Salary', None)
    """
    answers = read_answers(profile, list_topics())
    return next((topic for topic, text in answers.items() if is_gibberish(text)), None)
