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
def test_a_client_rebuilds_the_stored_answer_from_the_stream(run: Golden) -> None:
    shared.test_a_client_rebuilds_the_stored_answer_from_the_stream(A2A, run)


@runs
def test_encoding_one_run_twice_gives_equal_bytes(run: Golden) -> None:
    shared.test_encoding_one_run_twice_gives_equal_bytes(A2A, run)


@runs
def test_a_stream_resumed_after_any_event_has_the_remaining_frames(run: Golden) -> None:
    shared.test_a_stream_resumed_after_any_event_has_the_remaining_frames(A2A, run)


@runs
def test_unset_optional_fields_are_omitted_instead_of_null(run: Golden) -> None:
    shared.test_unset_optional_fields_are_omitted_instead_of_null(A2A, run)


@runs
def test_third_party_clients_never_see_node_names(run: Golden) -> None:
    shared.test_third_party_clients_never_see_node_names(A2A, run)
