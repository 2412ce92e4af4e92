"""Calls models: one logical call with its attempts, fallbacks and repairs.

One retry owner: the SDKs retry nothing. Each attempt is a ledger row (`attempts`). Text shown by
a failed attempt is reset, never spliced.

    failed, may pass by itself ──pause──► the same model again, while budget and deadline allow
    failed otherwise           ─────────► the next model of the role's chain
    prompt too long            ─────────► the same model with about half of the history, once
    no room for the answer     ─────────► the same model with the room that it stated, else half
    opaque state refused       ─────────► the same model without it, once; the thread says so
    empty answer               ─────────► the same again, once
    paused by its provider     ─────────► the same model, with what it said so far at the end
    answer is not the JSON     ─────────► the same model with the reason, once
"""

from __future__ import annotations

import asyncio
import random
from typing import Final

from ..base.copies import replace
from ..base.messages.contents import make_text_message
from ..base.messages.wishes import find_json_problem, hide_tools, word_repair
from ..base.time.work_time import Stopwatch
from ..errors import ContentFiltered, ContextTooLong, EmptyAnswer, ModelError, StateRefused
from ..providers.anthropic.messages import call_anthropic
from ..providers.model_handle import ModelHandle
from ..providers.openai.chat import call_openai
from ..providers.reading.answer_reader import add_usage, join_answers
from ..providers.refused_state import drop_state, mark_refused
from ..providers.room import fit_answer, keep_room, leave_room
from ..types import LLMResponse, Tokens, Usage
from .attempts import ModelCall, attempt_call
from .history import build_request_messages, mark_cut_call
from .models import Models
from .policy import trim_harder
from .seams import RunView

__all__ = ["ModelCall", "Models", "call_anthropic", "call_model", "call_openai"]

BACKOFF_FIRST_S: Final = 0.5
MAX_BACKOFF_S: Final = 8.0
TOO_LONG_HINT: Final = (
    "Lower AGENT_LIMITS_MAX_OUTPUT_TOKENS or AGENT_LIMITS_WINDOW_TOKENS, start a new thread, or "
    "choose a model with a larger window."
)


async def call_model(call: ModelCall, ctx: RunView) -> LLMResponse:
    """Call a role's model, or a fallback of it after failures, and return the answer.

    A call that the answer's token limit may have cut comes back marked: it is never executed.
    Its usage is that of all answers: of the one that was not the JSON asked for, too.

    Raises: ModelError of the last attempt, when the attempt budget or the chain is used up.
    """
    call = replace(call, request=fit_answer(call.request, ctx.limits.max_output_tokens))
    chain = ctx.models.resolve_chain(call.role, call.worker)
    watch = Stopwatch()
    attempt, position = 0, 0
    used: Usage | None = None
    while True:
        attempt += 1
        handle = chain[position]
        try:
            response = mark_cut_call(await attempt_call(call, handle, attempt, ctx))
            if call.refused is not None:
                response = replace(response, message=mark_refused(response.message, call.refused))
        except ModelError as error:
            left = ctx.limits.model_attempts - attempt
            pause_s = choose_pause(error, attempt)
            other = fit_call(call, error, handle) or unseal_call(call, error, handle)
            if isinstance(error, EmptyAnswer) and not call.is_second:
                other = replace(call, is_second=True)
            if left and other is not None:
                call, pause_s = other, 0.0
            elif (
                error.retryable
                and left > len(chain) - 1 - position
                # Where the provider wishes a longer pause, only a fallback may help.
                and watch.worked_s + pause_s < ctx.limits.model_timeout_s
            ):
                pass
            elif left and position + 1 < len(chain) and not isinstance(error, ContentFiltered):
                position, pause_s, call = position + 1, 0.0, replace(call, room=None)
            else:
                if isinstance(error, ContextTooLong):
                    error.hint = TOO_LONG_HINT
                raise
            if call.answer is not None and ctx.journal.partial_text:
                call.answer.restart(f"retry after {error.code}")
            room = f", room for {other.room} tokens is left" if other and other.room else ""
            ctx.journal.note(f"{handle.label}: attempt {attempt} failed: {error.code}{room}")
            if other is not None and isinstance(error, StateRefused):
                ctx.journal.note(
                    f"{handle.label} refused the opaque state: it is not sent any more"
                )
            await asyncio.sleep(pause_s)
            continue
        used = response.usage if used is None else add_usage(used, response.usage)
        if response.stop == "pause" and attempt < ctx.limits.model_attempts:
            call = continue_call(call, response)
            ctx.journal.note(f"{handle.label}: paused ({response.stop_raw}): continued")
            continue
        keep_room(handle, None if call.is_shortened else call.room)
        response = join_answers(call.paused, response) if call.paused else response
        if response.stop in ("length", "refusal", "content_filter", "pause", "other"):
            ctx.journal.note(f"the answer ended early: {response.stop} ({response.stop_raw})")
        problem = find_json_problem(call.request, response, call.role)
        if problem is None or call.is_repair:
            return response if used is response.usage else replace(response, usage=used)
        call = build_repair_call(call, response, problem, ctx.limits.max_output_tokens)
        ctx.journal.note(f"the answer had the wrong form ({problem}): asked once more")


def fit_call(call: ModelCall, error: ModelError, handle: ModelHandle) -> ModelCall | None:
    """Return a shorter copy of a call that exceeded the context window; None if impossible.
    The answer is shortened, once, if the refusal left room for one, else the history; a refusal
    without numbers shortens both. None also if that was tried already.
    """
    if not isinstance(error, ContextTooLong):
        return None
    left = leave_room(error, call.request, call.room, handle)
    shorter = None if left.is_enough else shorten_call(call)
    if shorter is not None:
        return shorter if left.is_stated or call.room else replace(shorter, room=left.tokens)
    return replace(call, room=left.tokens) if call.room is None and left.tokens > 0 else None


def shorten_call(call: ModelCall) -> ModelCall | None:
    """Return a copy of the call with half of its history; None if it cannot be shortened."""
    if call.is_shortened:
        return None
    view = trim_harder(call.view)
    if len(view) == len(call.view):
        return None
    messages, _ = build_request_messages(view, call.extra or (), call.epoch)
    is_newest_part = view == call.view[-len(view) :]
    return replace(
        call,
        request=replace(call.request, messages=messages),
        # A view with a gap has no positions in the thread: then the ledger keeps the messages.
        view=view if is_newest_part else [],
        extra=call.extra if is_newest_part else messages,
        is_shortened=True,
    )


def unseal_call(call: ModelCall, error: ModelError, handle: ModelHandle) -> ModelCall | None:
    """Return a call without the opaque state that a provider refused; None for other errors.
    Without such state the call stays equal: Gemini refuses requests that it accepts the next time.
    Later requests of the thread leave the state out: see `drop_refused_state`.
    """
    origin = (handle.provider, handle.model)
    if not isinstance(error, StateRefused) or call.refused is not None:
        return None
    messages = drop_state(call.request.messages, [origin])
    view, request = drop_state(call.view, [origin]), replace(call.request, messages=messages)
    return replace(call, request=request, view=view, refused=origin)


def continue_call(call: ModelCall, paused: LLMResponse) -> ModelCall:
    """Build the call that lets the model continue its paused answer.
    Source: platform.claude.com, "Handling stop reasons", `pause_turn`.
    """
    messages, extra = call.request.messages, call.extra or []
    return replace(
        call,
        request=replace(call.request, messages=[*messages, paused.message]),
        extra=[*extra, paused.message],
        paused=join_answers(call.paused, paused) if call.paused else paused,
    )


def build_repair_call(
    call: ModelCall, response: LLMResponse, problem: str, max_tokens: int
) -> ModelCall:
    """Build the call that asks the model once to correct its invalid JSON answer.
    Where JSON is asked for it shows no tools: not every JSON mode leaves room for them.

    max_tokens: the room for it where its own limit has cut the first answer.
    """
    ask = make_text_message("user", word_repair(call.request, problem))
    bad = make_text_message("assistant", response.text if response.text.strip() else "(empty)")
    messages = [*call.request.messages, bad, ask]
    room = max_tokens if response.stop == "length" else call.request.max_tokens
    repair = replace(call.request, messages=messages, max_tokens=room, is_newest_passing=True)
    request = hide_tools(repair)
    return replace(call, request=request, extra=[*(call.extra or []), bad, ask], is_repair=True)


def count_tokens_used(usage: Usage) -> Tokens:
    """Convert a call's usage to the state's `tokens`, with 0 for unreported counts."""
    return {"in": usage.input_total or 0, "out": usage.output_total or 0}


def choose_pause(error: ModelError, attempt: int) -> float:
    """Return how many seconds to wait before the next attempt."""
    if error.retry_after_s is not None:
        return error.retry_after_s
    longest = min(MAX_BACKOFF_S, BACKOFF_FIRST_S * 2 ** (attempt - 1))
    return longest * random.uniform(0.75, 1.0)
