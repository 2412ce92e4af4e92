"""Tools for the profile and the résumé."""

from __future__ import annotations

from typing import Any

from agent.core.tools import ToolContext, tool
from agent.errors import ToolError
from agent.packs.careers.profile import PROFILE_CHARS, format_profile, strip_front_matter
from agent.packs.careers.resume_shape import to_compact_resume
from agent.packs.careers.store import load_profile, load_resume, save_profile

NO_RESUME = "no résumé is imported yet; the user can do so with `plainloop import resume FILE`"


@tool("read")
async def read_user_profile(tool: ToolContext) -> dict[str, Any]:
    """The user's profile (Markdown)."""
    return {"content": format_profile(await load_profile(tool.db, tool.tenant_id, tool.user_id))}


@tool("write")
async def update_user_profile(tool: ToolContext, content: str) -> dict[str, Any]:
    """Replace the profile with this Markdown; give the whole text."""
    text = strip_front_matter(content)
    if not text:
        raise ToolError("content is empty: give the whole profile")
    if len(text) > PROFILE_CHARS:
        raise ToolError(f"content is too long: at most {PROFILE_CHARS} characters")
    await save_profile(tool.db, tool.tenant_id, tool.user_id, text)
    return {"updated": True, "characters": len(text)}


@tool("read")
async def read_resume(tool: ToolContext) -> dict[str, Any]:
    """The user's résumé."""
    row = await load_resume(tool.db, tool.tenant_id, tool.user_id)
    if row is None:
        return {"resume": None, "note": NO_RESUME}
    if row["data"] is None:
        return {"resume_text": row["raw_text"]}
    return {"resume": to_compact_resume(row["data"])}
