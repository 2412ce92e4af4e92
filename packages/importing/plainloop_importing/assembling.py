"""Model calls made conversations of: whose calls they are, in what order, what each was sent.

Every call repeats the history before it. The conversation is what the last call was sent, and its
answer; earlier calls give what was cut away since. A call with another prompt whose words are none
of the conversation's (a router, a title, a judge) stays a call beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from plainloop.agent.base.messages.contents import list_calls, list_open_calls
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.types import MessagePart

from .conversations import Conversation, ModelCall, PlacedCall, ToolSpan
from .messages import MessageReader, Said, build_messages, title_messages
from .values import dump


def make_key(said: Said) -> bytes:
    """Make a key that equal messages share, from their role, texts, calls and results.

    Call ids are enough where calls have them: some requests leave out the text beside calls.
    """
    parts: list[object] = []
    has_calls = any(part["type"] == "tool_call" and part["id"] for part in said.parts)
    for part in said.parts:
        if part["type"] == "text" and has_calls:
            continue
        if part["type"] == "text":
            parts.append(part["text"].strip())
        elif part["type"] == "tool_call":
            invalid = part.get("invalid_arguments")
            parts.append([part["id"], part["name"], part["arguments"], *[invalid] * bool(invalid)])
        elif part["type"] == "tool_result":
            parts.append([part["id"], part["result"]])
        elif part["type"] == "file":
            parts.append(part["data"])
    return dump([said.role, [part for part in parts if part != ""]])


@dataclass(slots=True)
class _Keyed:
    """A call, and the keys of the messages that it was sent and answered."""

    call: ModelCall
    said: list[Said]
    keys: list[bytes]
    sent: int  # how many of them were sent


def drop_doubles(calls: Sequence[ModelCall]) -> list[ModelCall]:
    """Sort a trace's calls by start, and drop calls that were traced twice.

    If a wrapper and the library in it both traced a call, one of the two is kept.
    """
    kept: list[ModelCall] = []
    by_response: dict[str, ModelCall] = {}
    by_name = {call.name: call for call in calls}
    parents = {
        call.parent  # that wraps the call which it contains
        for call in calls
        if (above := by_name.get(call.parent or ""))
        and above.started_at <= call.started_at
        and above.ended_at >= call.ended_at
    }
    for call in sorted(calls, key=lambda one: (one.started_at, one.name)):
        if call.name in parents:
            continue
        if call.response_id:
            if (first := by_response.get(call.response_id)) is not None:
                if first.sent is None and call.sent is not None:
                    kept[kept.index(first)] = by_response[call.response_id] = call
                continue
            by_response[call.response_id] = call
        kept.append(call)
    return kept


def assemble(
    name: str, calls: Sequence[ModelCall], spans: Sequence[ToolSpan], reader: MessageReader
) -> Conversation:
    """Assemble one conversation from all calls with its name."""
    given = len(calls)
    calls = drop_doubles(calls)
    for _ in range(given - len(calls)):
        reader.note("a call was traced twice: counted once")
    worded: list[_Keyed] = []
    for call in calls:
        if call.sent:
            said = [*call.sent, *([call.answer] if call.answer is not None else [])]
            worded.append(_Keyed(call, said, [make_key(one) for one in said], len(call.sent)))
    whole = Conversation(name)
    if not worded:
        whole.calls = [PlacedCall(call) for call in calls]
        whole.gaps.append("no content: the source stored only numbers")
        _tell_gaps(whole, calls)
        return whole
    main = _choose_main(worded)
    transcript, keys, placed = list(main.said), list(main.keys), {id(main.call): (0, main)}
    for one in reversed(worded[: worded.index(main)]):
        shift = _place(one, main, transcript, keys, placed)
        if shift is None and _share_prefix(one.keys, keys):
            reader.note(
                "an answer that repeats or belongs to another branch: added only to the ledger"
            )
    _fill_results(transcript, spans, reader)
    whole.system, whole.tools = main.call.system, main.call.tools
    whole.messages, places = build_messages(transcript, reader.note)
    whole.times = [None] * len(whole.messages)
    for call in calls:
        where = placed.get(id(call))
        whole.calls.append(_set_place(whole, call, where, places))
    whole.title = title_messages(whole.messages)
    if worded[-1] is not main and any(
        id(o.call) not in placed for o in worded[worded.index(main) + 1 :]
    ):
        reader.note("a call outside the conversation: added only to the ledger")
    last = calls[-1]
    if last.error and (last is main.call or last.sent is None):
        whole.error = last.error
    _tell_gaps(whole, calls)
    return whole


def _choose_main(worded: Sequence[_Keyed]) -> _Keyed:
    """Choose the call that was sent the most messages; of equals one with tools, then the last."""
    longest = max(one.sent for one in worded)
    prompts = Counter(one.call.system for one in worded if one.sent == longest)
    best = max(
        (one for one in worded if one.sent == longest),
        key=lambda one: (bool(one.call.tools), prompts[one.call.system], one.call.started_at),
    )
    # One that goes on from it without sending more than it had: only new words are sent.
    later = [one for one in worded if one.call.system == best.call.system]
    if longest == 1 and all(one.sent == 1 for one in later):
        return later[-1]
    return best


def _place(
    one: _Keyed,
    main: _Keyed,
    transcript: list[Said],
    keys: list[bytes],
    placed: dict[int, tuple[int, _Keyed]],
) -> int | None:
    """Find an earlier call's messages in the transcript, or insert before it those it lacks."""
    size = len(one.keys)
    at = 0 if keys[:size] == one.keys else None  # as a rule
    if at is None and size in (matched := _match(one.keys, keys)):
        at = matched.index(size) + 1 - size
    if at is not None:
        placed[id(one.call)] = (at, one)
        for n, said in enumerate(one.said, at):
            if len(said.text) > len(transcript[n].text):
                transcript[n] = said
        return at
    overlap = _match(keys, one.keys)[-1]  # its end is the transcript's beginning
    is_same = one.call.system == main.call.system
    is_stateless = one.sent == 1 and main.sent == 1
    if overlap == 0 and not (is_same and (is_stateless or not _share_prefix(one.keys, keys))):
        return None
    ahead = size - overlap
    transcript[:0], keys[:0] = one.said[:ahead], one.keys[:ahead]
    for other, (place, kept) in list(placed.items()):
        placed[other] = (place + ahead, kept)
    placed[id(one.call)] = (0, one)
    return 0


def _match(part: Sequence[bytes], whole: Sequence[bytes]) -> list[int]:
    """Return how many first keys of `part` end at each key of `whole` (Knuth-Morris-Pratt)."""
    keys = [*part, None, *whole]  # None: no match goes on from the part into the whole
    lengths = [0]
    for key in keys[1:]:
        matched = lengths[-1]
        while matched and key != keys[matched]:
            matched = lengths[matched - 1]
        lengths.append(matched + (key == keys[matched]))
    return lengths[len(part) + 1 :]


def _share_prefix(some: Sequence[bytes], others: Sequence[bytes]) -> bool:
    return bool(some) and bool(others) and some[0] == others[0]


def _fill_results(transcript: list[Said], spans: Sequence[ToolSpan], reader: MessageReader) -> None:
    """Fill results of the last calls, which no request has, from tool spans by id or name."""
    if not transcript or transcript[-1].role != "assistant":
        return
    given: set[int] = set()
    for part in list(transcript[-1].parts):
        if part["type"] != "tool_call":
            continue
        same = [s for s in spans if id(s) not in given and s.result is not None]
        found = next((s for s in same if s.call_id and s.call_id == part["id"]), None)
        if found is None:
            named = [s for s in same if s.name == part["name"] and not s.call_id]
            found = named[-1] if named else None
            if found is not None:
                reader.note(f"the result of {part['name']} was matched by name and position")
        if found is None:
            continue
        given.add(id(found))
        result: MessagePart = {
            "type": "tool_result",
            "id": part["id"],
            "name": part["name"],
            "result": found.result,
            "is_error": found.is_error,
        }
        transcript.append(Said("tool", [result]))


def _set_place(
    whole: Conversation,
    call: ModelCall,
    where: tuple[int, _Keyed] | None,
    places: Sequence[int | None],
) -> PlacedCall:
    """Return a call with the positions of its messages, and set the messages' times."""
    if where is None:
        return PlacedCall(call)
    begin, one = where
    sent = [place for place in places[begin : begin + one.sent] if place is not None]
    for place in sent:
        whole.times[place] = whole.times[place] or call.started_at
    answered = places[begin + one.sent] if call.answer is not None else None
    if answered is not None:
        whole.times[answered] = call.ended_at
    first, last = (sent[0], sent[-1]) if sent else (None, None)
    return PlacedCall(call, answered, first, last)


def _tell_gaps(whole: Conversation, calls: Sequence[ModelCall]) -> None:
    """Note what the calls' sources lost or repaired, once each, and why the end is open."""
    whole.gaps += list(dict.fromkeys(gap for call in calls for gap in call.gaps))
    whole.notes += list(dict.fromkeys(note for call in calls for note in call.notes))
    if whole.error:
        whole.gaps.append(f"the model failed: {whole.error[:200]}")
    if list_open_calls(whole.messages) and whole.messages[-1]["role"] != "user":
        whole.gaps.append("a call without a result")
    for n, message in enumerate(whole.messages[:-1]):
        if list_calls(message) and whole.messages[n + 1]["role"] != "tool":
            whole.gaps.append("a call without a result")
            break
    if whole.messages and whole.messages[0]["role"] == "tool":
        whole.gaps.append("the history starts in the middle")
