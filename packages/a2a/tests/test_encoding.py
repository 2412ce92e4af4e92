"""What every encoder owes, owed by this one too."""

from __future__ import annotations

from collections.abc import Sequence

from a2a.types.a2a_pb2 import StreamResponse
from google.protobuf.json_format import ParseDict

from plainloop.server.protocols.encoder import Encoder, Frame
from plainloop_a2a.encoder import TaskEncoder
from tests.protocols import test_encoding as shared
from tests.protocols.encoders import Client, get_run_id
from tests.protocols.golden import Golden
from tests.protocols.test_encoding import runs


def make_a2a(run: Golden, after: int = 0) -> Encoder:
    return TaskEncoder(get_run_id(run), "thread")


def show_a2a(run: Golden, streams: Sequence[Sequence[Frame]]) -> str:
    """By the protocol's own messages: the artifact, appended to or begun anew."""
    shown = ""
    for frame in (item for frames in streams for item in frames):
        read = ParseDict(frame, StreamResponse())
        if read.HasField("artifact_update"):
            new = "".join(part.text for part in read.artifact_update.artifact.parts)
            shown = shown + new if read.artifact_update.append else new
    return shown


A2A = Client("a2a", make_a2a, show_a2a)


@runs
def test_the_client_shows_the_stored_answer(run: Golden) -> None:
    shared.test_the_client_shows_the_stored_answer(A2A, run)


@runs
def test_a_second_encoding_is_equal_byte_by_byte(run: Golden) -> None:
    shared.test_a_second_encoding_is_equal_byte_by_byte(A2A, run)


@runs
def test_resuming_after_any_event_yields_exactly_the_remaining_frames(run: Golden) -> None:
    shared.test_resuming_after_any_event_yields_exactly_the_remaining_frames(A2A, run)


@runs
def test_optional_fields_without_a_value_are_omitted_not_null(run: Golden) -> None:
    shared.test_optional_fields_without_a_value_are_omitted_not_null(A2A, run)


@runs
def test_third_party_clients_never_see_node_names(run: Golden) -> None:
    shared.test_third_party_clients_never_see_node_names(A2A, run)
