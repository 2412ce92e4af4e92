"""Everything that was recorded of a thread: what a recorded replay needs, from the database or a
file. Model answers, tool results, the rows of a fast path, the findings of an evaluator's check and
what prompts said of the user are in it, so that a replay needs nothing of today's data.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from plainloop.agent.errors import InputError
from plainloop.agent.store.ledger import hash_prompt_text
from plainloop.agent.store.recordings import load_code_parts
from plainloop.agent.store.records import AvoidedCall
from plainloop.agent.store.store import Store
from plainloop.agent.types import NO_WISHES, Stop, Usage, Wished, Wishes

from ...store.recordings import list_recorded_calls, load_options, load_thread_kind

VERSION: Final = 1
Asked = tuple[str, str | None, str]  # role, worker, `provider:model`
CodePart = tuple[str, str]  # its name, its digest: `packs/code_parts.py`
IMPORTED: Final = "imported"  # the pack of a run that another system made (packages/importing)
OUT_OF_TIME: Final = "limit: the run took longer than"  # how `core/loop.py` notes it
KEY: Final = "plainloop_recording"  # beside `messages` in a line of an export


class CallRecording(msgspec.Struct, frozen=True):
    """An answered model call. system and tools: keys of the thread's `texts`, "" without any.

    positions: of the thread's messages that were sent, inclusive; None: `extra` is all of it.
    asked: `provider:model`; "" in files of before it was kept. step: None likewise.
    """

    role: str
    worker: str | None
    fingerprint: str | None
    system: str
    tools: str
    first_position: int | None
    last_position: int | None
    extra: list[dict[str, Any]]
    token_factor: float
    message: dict[str, Any]
    stop: Stop
    model: str
    usage: Usage
    asked: str = ""
    step: int | None = None


class StepRecording(msgspec.Struct, frozen=True):
    n: int
    node: str
    next_node: str
    update: dict[str, Any]
    avoided: tuple[AvoidedCall, ...] = ()


class RunRecording(msgspec.Struct, frozen=True):
    """Holds what was recorded of one run. position: of its user message. error: code of its end.
    client_tools: the tools that its client brought. asked: the calls that a person, or the client,
    was asked about; None in files of before it was kept.
    """

    design: str
    pack: str
    status: str
    position: int
    steps: tuple[StepRecording, ...]
    calls: tuple[CallRecording, ...]
    wishes: Wishes = NO_WISHES  # of its client, at last
    error: str | None = None
    client_tools: tuple[str, ...] = ()
    asked: tuple[str, ...] | None = None
    is_out_of_time: bool = False  # the clock ended it, which no replay repeats
    wished: tuple[Wished, ...] = ()  # of its client, before
    code: str | None = None  # key of the recording's `codes`: what began it; None: not known


class ThreadRecording(msgspec.Struct, frozen=True):
    """Everything recorded of a thread. user_id: its owner; "" without any turn, and in files."""

    thread_id: str
    messages: list[dict[str, Any]]  # sealed
    runs: tuple[RunRecording, ...]
    texts: dict[str, str]  # prompts and tools, each once
    user_id: str = ""
    version: int = VERSION
    kind: str = "chat"
    codes: dict[str, dict[str, str]] = {}  # the code that was not replayed, part by part


async def load_recording(store: Store, tenant_id: str, thread_id: str) -> ThreadRecording:
    """Load everything that is recorded of a stored thread.

    Runs that are queued or just began are left out.
    """
    messages: list[Any] = list(await store.load_messages(tenant_id, thread_id))
    texts: dict[str, str] = {}
    codes: dict[str, dict[str, str]] = {}

    def keep(text: str) -> str:
        key = hash_prompt_text(text)[:16] if text else ""
        if text:
            texts[key] = text
        return key

    recorded: list[RunRecording] = []
    runs = await store.list_runs(tenant_id, thread_id)
    for run in runs:
        # Or it began after the messages were read, which then lack its own
        # (test_a_message_that_arrives_while_its_thread_is_read_is_left_out).
        if run.status == "queued" or run.input_position >= len(messages):
            continue
        steps = await store.load_steps(tenant_id, run.run_id)
        calls = await list_recorded_calls(store.read(tenant_id), run.run_id)
        options = await load_options(store.read(tenant_id), run.run_id)
        made = [
            CallRecording(
                *(call.role, call.worker, call.fingerprint, keep(call.system), keep(call.tools)),
                call.first_position,
                call.last_position,
                [{**message} for message in call.extra],
                call.token_factor,
                {**call.response.message},
                *(call.response.stop, call.response.model, call.response.usage, call.asked),
                call.step,
            )
            for call in calls
        ]
        done = [StepRecording(s.n, s.node, s.next_node, {**s.update}, s.avoided) for s in steps]
        place = run.design, run.pack, run.status, run.input_position
        is_late = any(note.startswith(OUT_OF_TIME) for note in run.notes)
        of_client = options.wishes, run.error_code, options.client_tools, options.asked, is_late
        if options.parts_name is not None and options.parts_name not in codes:
            codes[options.parts_name] = await load_code_parts(
                store.read(tenant_id), options.parts_name
            )
        told = (*place, tuple(done), tuple(made), *of_client, options.wished, options.parts_name)
        recorded.append(RunRecording(*told))
    user_id = runs[0].user_id if runs else ""
    kind = await load_thread_kind(store.read(tenant_id), thread_id)
    told = (thread_id, messages, tuple(recorded), texts, user_id)
    return ThreadRecording(*told, kind=kind, codes=codes)


def list_models(recording: ThreadRecording) -> set[Asked]:
    """Return (role, worker, model) of all calls in the recording."""
    calls = (call for run in recording.runs for call in run.calls)
    return {(call.role, call.worker, call.asked) for call in calls}


def list_codes(recording: ThreadRecording, *runs: RunRecording) -> set[CodePart]:
    """Return the recorded code parts with which these runs began.

    Without `runs`, all runs count. For a run without a known code it is the part without a name.
    """
    found: set[CodePart] = set()
    for run in runs or recording.runs:
        if run.pack == IMPORTED:
            continue
        parts = recording.codes.get(run.code or "") or {"": ""}
        own = (f"{run.pack}/", ".")
        found |= {item for item in parts.items() if not item[0] or item[0].startswith(own)}
    return found


class _Line(msgspec.Struct):
    plainloop_recording: ThreadRecording | None = None


def to_line(recording: ThreadRecording, messages: dict[str, Any]) -> bytes:
    """Encode a recording as a line of a file, without the user's name.

    messages: what stands beside it.
    """
    kept = msgspec.structs.replace(recording, user_id="")
    return msgspec.json.encode({**messages, KEY: kept})


def parse_recording(line: bytes, number: int) -> ThreadRecording | None:
    """Return the recording in a line, or None without one.

    Raises: InputError that names the line.
    """
    if KEY.encode() not in line:
        return None
    try:
        found = msgspec.json.decode(line, type=_Line).plainloop_recording
    except msgspec.DecodeError as error:
        raise InputError(
            f"line {number}: the recording cannot be read: {error}",
            hint="Export it again with `plainloop export --recording`.",
        ) from error
    if found is None:
        return None
    if found.version != VERSION:
        raise InputError(
            f"line {number}: the recording has version {found.version}; this "
            f"program needs version {VERSION}",
            hint="Export it again with `plainloop export --recording`.",
        )
    texts = {key for run in found.runs for call in run.calls for key in (call.system, call.tools)}
    places = [run.position for run in found.runs]
    if not texts <= {"", *found.texts} or max(places, default=0) > len(found.messages) - 1:
        raise InputError(
            f"line {number}: the recording is incomplete",
            hint="Export it again with `plainloop export --recording`.",
        )
    return found
