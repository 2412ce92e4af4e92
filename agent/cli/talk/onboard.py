"""`plainloop onboard`: the interview in the terminal, or over a pipe. The agent speaks first."""

from __future__ import annotations

from ..terminal import output
from ..terminal.options import Owner
from ..terminal.running import run_in
from ..terminal.serving import describe_model
from .chat import Conversation, ensure_thread, open_talk, say, talk_on


def onboard(owner: Owner, *, begin_new: bool, debug: bool) -> int:
    """Hold the onboarding interview in the terminal; return the exit code when it ends.

    begin_new: leave the interview that was begun and hold another one.

    Raises: ConfigError when no pack that is served holds one.
    """
    with open_talk(owner) as (runner, talk):
        talk.is_interview = True
        run_in(runner, open_interview(talk, begin_new=begin_new))
        return 0 if talk.is_over else talk_on(runner, talk, debug=debug)


async def open_interview(talk: Conversation, *, begin_new: bool) -> None:
    """Open the user's interview in the chat, and let the agent speak first."""
    service, owner = talk.service, talk.owner
    if begin_new:
        await ensure_thread(talk, "")
    else:
        thread = await service.ensure_interview(owner.tenant_id, owner.user_id)
        talk.thread_id = thread.thread_id
    held = f"the {service.onboarding_pack.title} interview"
    output.write_status(
        f"plainloop · {describe_model(service)} · {held} · thread {talk.thread_id}"
        " · /help for commands"
    )
    await say(talk, None)
