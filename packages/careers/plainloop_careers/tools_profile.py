"""Tools for the profile and the résumé."""

from __future__ import annotations

from typing import Any, Final

from plainloop.agent.core.taint import UNTRUSTED, UNTRUSTED_NOTE
from plainloop.agent.core.tools import ToolContext, tool
from plainloop.agent.errors import ToolError

from .onboarding import SKIPPED, find_gibberish
from .profile import PROFILE_CHARS, format_profile, strip_front_matter
from .resumes.shape import to_compact_resume
from .store import get_owner, load_profile, load_resume, save_profile

NO_RESUME = (
    "no résumé is imported yet; the user drops one on the page Résumé and profile, "
    "or says `plainloop import resume FILE`"
)


@tool("read")
async def read_user_profile(tool: ToolContext) -> dict[str, Any]:
    """The user's profile (Markdown)."""
    profile = await load_profile(tool.db, get_owner(tool))
    mark = {UNTRUSTED: UNTRUSTED_NOTE} if profile["is_untrusted"] else {}
    return {"content": format_profile(profile), **mark}


@tool("write")
async def update_user_profile(tool: ToolContext, content: str) -> dict[str, Any]:
    """Replace the profile with this Markdown; give the whole text."""
    text = strip_front_matter(content)
    if not text:
        raise ToolError("content is empty: send the whole profile")
    if len(text) > PROFILE_CHARS:
        raise ToolError(f"content is too long: shorten it to {PROFILE_CHARS} characters")
    if topic := find_gibberish(text):
        raise ToolError(
            f"the text for {topic} does not answer the question: ask the user once more, with an "
            f'example; if the second answer is no better, write "{SKIPPED}" and tell the user so'
        )
    owner = get_owner(tool)
    await save_profile(tool.db, owner, text, is_untrusted=tool.is_tainted)
    return {"updated": True, "characters": len(text)}


@tool("read")
async def read_resume(tool: ToolContext) -> dict[str, Any]:
    """The user's résumé."""
    row = await load_resume(tool.db, get_owner(tool))
    if row is None:
        return {"resume": None, "note": NO_RESUME}
    if row["data"] is None:
        return {"resume_text": row["raw_text"]}
    return {"resume": to_compact_resume(row["data"])}


TOOLS: Final = (read_user_profile, update_user_profile, read_resume)
