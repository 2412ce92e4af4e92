"""What a prompt shows of the memory: as it was when the conversation began.

Beginning and all, the prompt is then the same from turn to turn, so that a provider reads it from
its cache. What this conversation adds stands in its own messages; what others add or correct
meanwhile is in the next one, and `recall` finds it at once. What is erased is gone at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from plainloop.agent.base.tokens.estimate import estimate_tokens
from plainloop.agent.core.seams import RunView
from plainloop.agent.store.database import Row

from .settings import MemorySettings
from .store import list_shown

HEAD: Final = "What the user told in earlier conversations, by number:"
REST: Final = "(There is more: `recall` finds it.)"


async def load_block(ctx: RunView) -> str:
    """Load the user's memories as text for this run's prompts.

    "" without any.
    """
    if not ctx.thread_id:
        return ""
    own = ctx.settings.get_table(MemorySettings)
    rows = await list_shown(
        ctx.store.read(ctx.tenant_id), ctx.tenant_id, ctx.user_id, ctx.thread_id, own.most
    )
    return build_block(rows, own.block_tokens)


def build_block(newest_first: Sequence[Row], most_tokens: int) -> str:
    """Build the prompt's text from the user's newest memories, oldest first.

    most_tokens: maximum length of the text.

    >>> rows = [{"memory_id": 2, "text": "likes tea"}, {"memory_id": 1, "text": "is called Ann"}]
    >>> build_block(rows, 100).splitlines()[1:]
    ['#1 is called Ann', '#2 likes tea']
    >>> build_block([], 100)
    ''
    """
    lines: list[str] = []
    left = most_tokens - estimate_tokens(f"{HEAD}\n{REST}")
    for row in newest_first:
        line = f"#{row['memory_id']} {row['text']}"
        left -= estimate_tokens(line) + 1
        if left < 0:
            break
        lines.append(line)
    if not newest_first:
        return ""
    rest = [REST] * (len(lines) < len(newest_first))
    return "\n".join([HEAD, *rest, *reversed(lines)])
