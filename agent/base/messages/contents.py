"""Reads messages: their texts, calls, turns and sizes. Pure; nothing is repaired here."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any, Final, cast

import orjson

from ...events import Done
from ...types import FilePart, FunctionCall, FunctionResponse, Message, MessagePart
from ..tokens.estimate import estimate_message_tokens

INTERRUPTED: Final = "interrupted: the tool did not finish; its effect is not known"
UNDONE: Final = "interrupted: the tool did not finish, and nothing was changed"
# Includes those of Chinese and Japanese, Arabic, Greek, Armenian and Ethiopic: otherwise a reply to
# such a question would be learned as a new sentence (test_replies_to_questions_are_not_learned).
_QUESTION_MARKS: Final = "?\uff1f\u061f\u037e\u055e\u1367"
OUTDATED: Final = "(outdated: asked again later, see there)"


def get_turn(messages: Sequence[Message]) -> list[Message]:
    """Return the current turn: the messages after the newest user message."""
    for i in range(len(messages) - 1, -1, -1):
        if messages[i]["role"] == "user":
            return list(messages[i + 1 :])
    return list(messages)


def get_request_message(messages: Sequence[Message]) -> Message:
    """Return the newest user message, which this run answers."""
    return messages[len(messages) - len(get_turn(messages)) - 1]


def list_exchange_starts(messages: Sequence[Message]) -> list[int]:
    """List the indices at which exchanges begin: at index 0 and at each user message."""
    starts = [i for i, message in enumerate(messages) if message["role"] == "user"]
    return starts if starts[:1] == [0] or not messages else [0, *starts]


def seal_messages(history: Sequence[Message], new: Sequence[Message]) -> list[Message]:
    """Copy new messages with their token counts: each one's size, and the tokens before it."""
    offset = count_thread_tokens(history[-1:])
    sealed: list[Message] = []
    for message in new:
        tokens = estimate_message_tokens(message)
        sealed.append({**message, "tokens": tokens, "offset": offset})
        offset += tokens
    return sealed


def count_thread_tokens(messages: Sequence[Message]) -> int:
    """Count the thread's tokens up to the last of these messages."""
    if messages and "offset" in messages[-1]:
        return messages[-1]["offset"] + estimate_message_tokens(messages[-1])
    before = messages[0].get("offset", 0) if messages else 0
    return before + sum(estimate_message_tokens(message) for message in messages)


def is_superseded(earlier: Sequence[Message], message: Message) -> bool:
    """Whether the message is a revised draft that replaces the answer directly before it."""
    if not earlier or message["role"] != "assistant" or earlier[-1]["role"] != "assistant":
        return False
    # A message that a client inserted after an answer does not supersede that answer.
    is_posted = any("is_posted" in part for part in message["parts"])
    return not list_calls(earlier[-1]) and not is_posted


def mark_posted(message: Message) -> Message:
    """Copy a client's assistant message with a mark, so that it replaces no earlier answer."""
    first, *rest = message["parts"]
    return {**message, "parts": [cast("MessagePart", {**first, "is_posted": True}), *rest]}


def drop_superseded(messages: Iterable[Message]) -> list[Message]:
    """Copy the messages without answers that a newer draft directly follows."""
    kept: list[Message] = []
    for message in messages:
        if is_superseded(kept, message):
            kept.pop()
        kept.append(message)
    return kept


def get_answer(messages: Sequence[Message]) -> str:
    """Return the assistant's text of the current turn, without replaced drafts."""
    kept = drop_superseded(get_turn(messages))
    texts = [get_text(message) for message in kept if message["role"] == "assistant"]
    return "\n\n".join(text for text in texts if text.strip())


def make_done(messages: Sequence[Message]) -> Done:
    """Build the data of the `done` event, such as the answer and the reason of an early end."""
    done: Done = {"content": get_answer(messages)}
    if (output := get_output(messages[-1])) is not None:
        done["output"] = output
    for part in messages[-1]["parts"][-1:]:
        if part["type"] == "text":
            done |= cast("Done", {k: v for k, v in part.items() if k in ("ended_by", "stop_text")})
    return done


def get_output(message: Message) -> dict[str, Any] | None:
    """Return the JSON object of an answer; None if the answer is text."""
    for part in message["parts"][-1:]:
        if part["type"] == "text" and "is_json" in part:
            return orjson.loads(part["text"])
    return None


def get_text(message: Message) -> str:
    """Return a message's text parts joined, without files, reasoning, calls and results."""
    return "".join([part["text"] for part in message["parts"] if part["type"] == "text"])


def list_files(message: Message) -> list[FilePart]:
    """List the files of one message, in order."""
    return [part for part in message["parts"] if part["type"] == "file"]


def name_files(files: Sequence[FilePart]) -> str:
    """Describe each file in one line, for models that cannot read files."""
    return "\n".join(f"[{part.get('name', 'file')}: {part['media_type']}]" for part in files)


def get_words(message: Message) -> str:
    """Return a message's text with each file replaced by its name.

    >>> get_words({"role": "user", "parts": [{"type": "text", "text": "What is this?"}]})
    'What is this?'
    """
    return "\n".join(filter(None, [name_files(list_files(message)), get_text(message)]))


def has_open_question(messages: Sequence[Message]) -> bool:
    """Whether the last answer contains a question mark, so that the user may be replying."""
    answer = next((get_text(m) for m in reversed(messages) if m["role"] == "assistant"), "")
    return any(mark in answer for mark in _QUESTION_MARKS)


def list_calls(message: Message) -> list[FunctionCall]:
    """List the tool calls of one message, in order."""
    return [part for part in message["parts"] if part["type"] == "tool_call"]


def list_open_calls(messages: Sequence[Message]) -> list[FunctionCall]:
    """List the calls of the last assistant message that have no result yet."""
    for i in range(len(messages) - 1, -1, -1):
        if messages[i]["role"] == "assistant":
            answered = {
                part["id"]
                for later in messages[i + 1 :]
                for part in later["parts"]
                if part["type"] == "tool_result"
            }
            return [call for call in list_calls(messages[i]) if call["id"] not in answered]
    return []


def leave_out_outdated(messages: Sequence[Message], reads: Container[str]) -> list[Message]:
    """Copy the messages, replacing outdated results of read-only calls by a short note.
    A result is outdated if an equal call succeeded later.
    reads: names of tools that change nothing.
    """
    calls: dict[str, tuple[str, bytes]] = {}
    newest: dict[tuple[str, bytes], FunctionResponse] = {}
    outdated: set[int] = set()
    for part in (part for message in messages for part in message["parts"]):
        if part["type"] == "tool_call" and part["name"] in reads:
            # Sorted: models write equal arguments in any order.
            arguments = orjson.dumps(part["arguments"], option=orjson.OPT_SORT_KEYS)
            calls[part["id"]] = part["name"], arguments
        # A failed read outdates no earlier result, which still holds
        # (tests/core/test_policy.py::test_a_failed_read_outdates_no_earlier_result).
        elif part["type"] == "tool_result" and part["id"] in calls and not part["is_error"]:
            if (older := newest.get(key := calls[part["id"]])) is not None:
                outdated.add(id(older))
            newest[key] = part
    shown: list[Message] = []
    for message in messages:
        if any(id(part) in outdated for part in message["parts"]):
            parts = [
                cast("MessagePart", {**part, "result": OUTDATED}) if id(part) in outdated else part
                for part in message["parts"]
            ]
            message = cast("Message", {**message, "parts": parts})
            message.pop("tokens", None)  # of the whole
        shown.append(message)
    return shown


def make_text_message(role: Any, text: str) -> Message:
    """Make a message with one text part."""
    return {"role": role, "parts": [{"type": "text", "text": text}]}


def make_user_message(message: str | Message, files: Sequence[FilePart] = ()) -> Message:
    """Build the user's message from a text and files, with the files first.

    A complete Message is returned as it is.
    """
    if not isinstance(message, str):
        return message
    text: list[MessagePart] = [] if files and not message else [{"type": "text", "text": message}]
    # Files first: models answer better to a question that follows its picture. Source:
    # platform.claude.com, build-with-claude/vision.
    return {"role": "user", "parts": [*files, *text]}


def make_interrupted(call: FunctionCall, undone: Container[str] = ()) -> FunctionResponse:
    """Build the result of a tool call that was interrupted.
    undone: tools whose effects were rolled back.
    """
    return {
        "type": "tool_result",
        "id": call["id"],
        "name": call["name"],
        "result": {"error": UNDONE if call["name"] in undone else INTERRUPTED},
        "is_error": True,
    }


def make_last_words(
    history: Sequence[Message], partial_text: str, undone: Container[str]
) -> list[Message]:
    """Build the last messages of an interrupted run: results for its open calls, partial text."""
    words = make_interruptions(list_open_calls(history), undone)
    text = [make_text_message("assistant", partial_text)] if partial_text.strip() else []
    return seal_messages(history, [*words, *text])


def make_interruptions(calls: Sequence[FunctionCall], undone: Container[str] = ()) -> list[Message]:
    """Return the message that says which calls were interrupted, in a list; [] for no calls."""
    parts: list[MessagePart] = [make_interrupted(call, undone) for call in calls]
    return [{"role": "tool", "parts": parts}] if parts else []
