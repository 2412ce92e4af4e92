"""What every prompt says of the user."""

from __future__ import annotations

from plainloop.agent.core.seams import RunView


def describe(books: int) -> str:
    if books > 2:
        return "The user reads much."
    return "The user reads little."


async def load_profile(ctx: RunView) -> str:
    count = await ctx.store.read(ctx.tenant_id).fetchval(
        "select count(*) from shelf_books where tenant_id = $1", ctx.tenant_id
    )
    return describe(count)
