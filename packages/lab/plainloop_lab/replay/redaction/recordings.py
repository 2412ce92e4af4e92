"""A recording without personal data that still replays exactly.

The fingerprints of its model requests belong to the original texts. They are made anew by a replay
of the redacted recording, which a second replay then proves.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final, cast

import msgspec
import orjson

from plainloop.agent.config.settings import Settings
from plainloop.agent.core.spec import Pack
from plainloop.agent.packs.prompts import list_workers
from plainloop.agent.store.ledger import hash_prompt_text
from plainloop.agent.types import ChatRequest

from ..engine.divergence import Divergence
from ..engine.recorded import ConversationReplay
from ..engine.stored import replay_stored
from ..engine.turn_check import TurnCheck
from ..sources.recording import RecordedAnswer
from ..sources.stored import FAST_NODES, build_thread
from ..sources.thread_recording import CallRecording, RunRecording, StepRecording, ThreadRecording
from .redactor import Redactor

_FILE: Final = base64.b64encode(b"redacted").decode()
_CONTENT: Final = ("arguments", "result", "text")
_OPAQUE: Final = "provider_state"  # sealed by a provider: nobody can look for names in it


class AcceptingCheck(TurnCheck):
    """Takes each request as it is, to make the fingerprints of a redacted recording."""

    def compare_request(self, request: ChatRequest, answer: RecordedAnswer) -> Divergence | None:
        """Record the request's fingerprint and report no divergence."""
        super().compare_request(request, replace(answer, fingerprint=self._asked))
        return None


async def redact_recording(
    recording: ThreadRecording, redactor: Redactor, packs: Mapping[str, Pack], settings: Settings
) -> tuple[ThreadRecording | None, str]:
    """Redact a recording, and prove by replays that it still behaves as before.

    Returns (recording, "") or (None, reason).
    """
    if reason := await _find_difference(recording, packs, settings):
        return None, f"differs from today's code, so it cannot be redacted exactly: {reason}"
    redacted = replace_personal_data(recording, redactor)
    replay = await replay_stored(build_thread(redacted), packs, settings, AcceptingCheck)
    if reason := _describe(replay):
        return None, f"the code treats its personal data in a special way: {reason}"
    redacted = renew_fingerprints(redacted, replay)
    if reason := await _find_difference(redacted, packs, settings):
        return None, f"the redacted recording differs: {reason}"
    return redacted, ""


def list_own_texts(packs: Sequence[Pack]) -> set[str]:
    """Return the texts that come from code, not from users: prompts, tools, entities."""
    texts: set[str] = set()
    for pack in packs:
        workers = list_workers(pack)
        texts |= {text for worker in workers for text in (worker.prompt, worker.description)}
        texts |= {worker.name for worker in workers}
        texts |= {*pack.prompts.values(), *pack.examples, pack.title, pack.name}
        for tool in pack.tools:
            schema = tool.schema
            shape = orjson.dumps(schema.parameters).decode()
            texts |= {schema.name, schema.description, shape}
        for entity in pack.entities:
            texts |= {*_list_words(entity)}
    return texts


def _list_words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        for item in fields(value):
            yield from _list_words(getattr(value, item.name))
    elif isinstance(value, Mapping):
        for item in cast("Mapping[str, Any]", value).items():
            yield from _list_words(item)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in cast("Sequence[Any]", value):
            yield from _list_words(item)


def list_personal_parts(recording: ThreadRecording) -> Iterator[Any]:
    """Yield the parts of a recording that may hold personal data, as JSON values."""
    yield recording.messages
    for run in recording.runs:
        yield msgspec.to_builtins(run.wishes)
        for step in run.steps:
            yield step.update
    yield from (text for key, text in recording.texts.items() if key not in _list_tools(recording))


def _list_tools(recording: ThreadRecording) -> set[str]:
    return {call.tools for run in recording.runs for call in run.calls}


def replace_personal_data(recording: ThreadRecording, redactor: Redactor) -> ThreadRecording:
    """Copy a recording with personal data replaced and fingerprints removed."""
    tools = _list_tools(recording)
    texts = {
        key: text if key in tools else redactor.redact_text(text)
        for key, text in recording.texts.items()
    }
    keys = {key: hash_prompt_text(text)[:16] for key, text in texts.items()}
    runs = tuple(redact_run(run, keys, redactor) for run in recording.runs)
    return msgspec.structs.replace(
        recording,
        thread_id=redactor.redact_text(recording.thread_id),
        messages=_redact_messages(recording.messages, redactor),
        runs=runs,
        texts={keys[key]: text for key, text in texts.items()},
    )


def redact_run(run: RunRecording, keys: Mapping[str, str], redactor: Redactor) -> RunRecording:
    """Copy a run's recording with personal data replaced.

    keys: the new keys of its texts, by old key.
    """
    steps = tuple(
        msgspec.structs.replace(step, update=redact_update(step, redactor)) for step in run.steps
    )
    calls = tuple(
        msgspec.structs.replace(
            call,
            fingerprint=None,
            system=keys.get(call.system, ""),
            tools=keys.get(call.tools, ""),
            extra=_redact_messages(call.extra, redactor),
            message=_redact_message(call.message, redactor),
        )
        for call in run.calls
    )
    plain = {"wishes": run.wishes, "wished": run.wished}
    wished = redactor.redact(msgspec.to_builtins(plain), with_numbers=False)
    read = {
        "wishes": msgspec.convert(wished["wishes"], type(run.wishes)),
        "wished": tuple(
            msgspec.convert(item, type(was))
            for item, was in zip(wished["wished"], run.wished, strict=True)
        ),
    }
    return msgspec.structs.replace(run, steps=steps, calls=calls, **read)


def redact_update(step: StepRecording, redactor: Redactor) -> dict[str, Any]:
    """Copy a step's update with personal data replaced.

    Numbers are a user's data in rows and fields; elsewhere they are sizes and shares that the code
    computes again.
    """
    found: dict[str, Any] = {}
    for key, value in step.update.items():
        if key == "messages":
            found[key] = _redact_messages(value or [], redactor) if value else value
        else:
            found[key] = redactor.redact(
                value, with_numbers=key == "data" or step.node in FAST_NODES
            )
    return found


def _redact_messages(messages: Sequence[Any], redactor: Redactor) -> list[dict[str, Any]]:
    return [_redact_message(message, redactor) for message in messages]


def _redact_message(message: Mapping[str, Any], redactor: Redactor) -> dict[str, Any]:
    parts = [redact_part(part, redactor) for part in message["parts"]]
    return {**message, "parts": parts}


def redact_part(part: Mapping[str, Any], redactor: Redactor) -> dict[str, Any]:
    """Copy a part of a message with personal data replaced.

    The content of a file is replaced whole.
    """
    found: dict[str, Any] = {}
    for key, value in part.items():
        if key == _OPAQUE:
            continue
        if part["type"] == "file" and key == "data":
            found[key] = _FILE
        elif key == "type" or (key == "name" and part["type"] != "file"):
            found[key] = value
        else:
            found[key] = redactor.redact(value, with_numbers=key in _CONTENT)
    return found


def renew_fingerprints(recording: ThreadRecording, replay: ConversationReplay) -> ThreadRecording:
    """Replace each recorded call's fingerprint by that of its request in the replay."""
    runs: list[RunRecording] = []
    for run, turn in zip(recording.runs, replay.turns, strict=True):
        of_tools = {step.n for step in run.steps if step.node.endswith(".tools")}
        made = iter(turn.fingerprints)

        def renew(call: CallRecording) -> CallRecording:
            if call.step is not None and call.step in of_tools:  # noqa: B023
                return call  # a tool's own request: it is part of the tool's result
            return msgspec.structs.replace(call, fingerprint=next(made, None))  # noqa: B023

        runs.append(msgspec.structs.replace(run, calls=tuple(map(renew, run.calls))))
    return msgspec.structs.replace(recording, runs=tuple(runs))


async def _find_difference(
    recording: ThreadRecording, packs: Mapping[str, Pack], settings: Settings
) -> str:
    return _describe(await replay_stored(build_thread(recording), packs, settings))


def _describe(replay: ConversationReplay) -> str:
    if replay.left_out is not None:
        return replay.left_out
    place, found = replay.diverged_turn, replay.divergence
    if place is None or found is None:
        return ""
    return f"turn {place + 1}, {found.kind} at step {found.step}, {found.node}"
