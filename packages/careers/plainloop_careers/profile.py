"""The user's profile as Markdown, and the lines of it that every worker's prompt shows."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

from plainloop.agent.base.text.cleaning import clean_text, cut_text
from plainloop.agent.core.seams import RunView
from plainloop.agent.core.taint import UNTRUSTED_NOTE
from plainloop.agent.store.database import Row
from plainloop.agent.store.runs import load_prompt_read

PROMPT_READ: Final = "careers_read_prompt_facts"
PROFILE_PROMPT_CHARS: Final = 2_400  # about 600 tokens
PROFILE_CHARS: Final = 20_000
_FRONT_MATTER: Final = re.compile(r"\A\s*---[ \t]*\r?\n(?:.*\n)*?---[ \t]*(?:\r?\n|\Z)")


def strip_front_matter(text: str) -> str:
    """Remove the block of fields (front matter) at the beginning of a profile's Markdown.

    >>> strip_front_matter("---\\nonboarded: true\\n---\\n# Ann")
    '# Ann'
    """
    return _FRONT_MATTER.sub("", clean_text(text), count=1).strip()


def format_profile(profile: Row) -> str:
    """Format a profile as Markdown with front matter, as tools and the API show it."""
    done = "true" if profile["is_onboarded"] else "false"
    return f"---\nonboarded: {done}\n---\n{profile['content']}".rstrip()


async def load_prompt_context(ctx: RunView) -> str:
    """Load the text about the user for a run's prompts, as of the run's beginning."""
    db = ctx.store.read(ctx.tenant_id)
    facts: Row = await load_prompt_read(db, ctx.run, PROMPT_READ)
    if imported := facts["created_at"]:
        facts = {**facts, "created_at": datetime.fromisoformat(imported)}
    return build_prompt_context(facts)


def build_prompt_context(facts: Row) -> str:
    """Build the text about the user for prompts, from profile and résumé.

    facts: `content, is_untrusted, candidate, positions, format, created_at`; `format` None: there
    is no résumé.
    """
    note = "\n… (cut; read_user_profile has the rest)"
    profile = cut_text(facts["content"], PROFILE_PROMPT_CHARS, note) or "(empty)"
    mark = f" ({UNTRUSTED_NOTE})" if facts["is_untrusted"] else ""
    return f"Profile of the user:{mark}\n{profile}\n\nRésumé: {_describe_resume(facts)}"


def _describe_resume(facts: Row) -> str:
    if facts["format"] is None:
        return "none imported"
    details: list[Any] = [facts["candidate"] or "not structured yet"]
    if facts["positions"]:
        many = "" if facts["positions"] == 1 else "s"
        details.append(f"{facts['positions']} position{many}")
    details.append(f"imported {facts['created_at'].date().isoformat()}")
    return ", ".join(details)
