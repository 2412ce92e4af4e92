"""What every encoder owes: the stored answer, equal bytes, and to go on anywhere."""

from __future__ import annotations

import pytest

from plainloop.server.protocols.encoder import EncodedWriter, ShownText, encode_events
from plainloop_frontends.openai.chat import MARK
from tests.protocols.encoders import CLIENTS, Client, split_streams
from tests.protocols.golden import Golden, load_golden

clients = pytest.mark.parametrize("client", CLIENTS, ids=lambda item: item.name)
runs = pytest.mark.parametrize("run", load_golden(), ids=lambda item: item.name)


@clients
@runs
def test_a_client_rebuilds_the_stored_answer_from_the_stream(client: Client, run: Golden) -> None:
    assert client.show(run, split_streams(client, run)) == run.answer


@clients
@runs
def test_encoding_one_run_twice_gives_equal_bytes(client: Client, run: Golden) -> None:
    first, second = (
        writer.write(run.events[:n]) + writer.write(run.events[n:])
        for n, writer in (
            (1, EncodedWriter(client.make(run, 0))),
            (len(run.events) - 1, EncodedWriter(client.make(run, 0))),
        )
    )

    assert first == second


@clients
@runs
def test_a_stream_resumed_after_any_event_has_the_remaining_frames(
    client: Client, run: Golden
) -> None:
    whole = encode_events(client.make(run, 0), run.events)
    for event in run.events:
        seen = [item for item in run.events if item["seq"] <= event["seq"]]
        before = encode_events(client.make(run, 0), seen)
        after = encode_events(client.make(run, 0), run.events, event["seq"])

        assert [*before, *after] == whole


@clients
@runs
def test_unset_optional_fields_are_omitted_instead_of_null(client: Client, run: Golden) -> None:
    """AI SDK and AG-UI end the whole stream at one; in OpenAI's shapes some must be there."""
    if client.name == "responses":
        return  # all 31 fields of its resource are there, and null where nothing is said
    allowed = {"finish_reason", "logprobs", "param", "result", "stop_reason", "stop_sequence"}

    def list_nulls(value: object) -> list[str]:
        if isinstance(value, dict):
            own = [str(key) for key, item in value.items() if item is None]
            return own + [name for item in value.values() for name in list_nulls(item)]
        return [n for item in value for n in list_nulls(item)] if isinstance(value, list) else []

    nulls = [name for stream in split_streams(client, run) for name in list_nulls(stream)]
    assert {*nulls} <= allowed


@clients
@runs
def test_third_party_clients_never_see_node_names(client: Client, run: Golden) -> None:
    nodes = {e["data"]["node"] for e in run.events if e["event"] == "node_start"}
    shown = repr([frame for frames in split_streams(client, run) for frame in frames])

    assert [node for node in nodes if node in shown] == []


def test_after_a_reset_repeated_text_is_not_sent_again() -> None:
    shown = ShownText()
    shown.append("I look.")
    shown.close_part()
    shown.append("\n\nHalf of it")
    shown.reset()
    again = [shown.append(piece) for piece in ("I look.", "\n\nHalf", " of it", " and more")]

    assert again == [(False, ""), (False, ""), (False, ""), (False, " and more")]
    assert shown.text == "I look.\n\nHalf of it and more"


def test_after_a_reset_a_differing_text_drops_the_last_part() -> None:
    shown = ShownText()
    shown.append("I look.")
    shown.close_part()
    shown.append("\n\nHalf of it")
    shown.reset()

    assert shown.append("I look.\n\n") == (False, "")
    assert shown.append("All") == (True, "\n\nAll")
    assert shown.text == "I look.\n\nAll"


def test_after_a_reset_text_that_is_not_repeated_is_voided() -> None:
    shown = ShownText()
    shown.append("I look.")
    shown.close_part()
    shown.append("\n\nHalf")
    shown.reset()
    shown.append("I look.")

    assert shown.settle() == (True, "")
    assert shown.settle() == (False, "")
    assert shown.text == "I look."


class CountedText(ShownText):
    """Counts how often the whole text is put together."""

    joins = 0

    @property
    def text(self) -> str:
        self.joins += 1
        return super().text


def test_a_repeated_text_is_compared_once() -> None:
    shown = CountedText()
    pieces = [f"{n} " for n in range(1_000)]
    for piece in pieces:
        shown.append(piece)
    shown.reset()
    again = [shown.append(piece) for piece in [*pieces, "end"]]

    assert shown.joins <= 2
    assert again == [*[(False, "")] * len(pieces), (False, "end")]
    assert shown.text == "".join([*pieces, "end"])


def test_an_answer_that_contradicts_the_stream_is_marked() -> None:
    [run] = [item for item in load_golden() if item.name == "taken_over"]
    [chat] = [item for item in CLIENTS if item.name == "chat completions"]
    frames = encode_events(chat.make(run, 0), run.events)
    text = "".join(
        choice["delta"].get("content", "") for frame in frames for choice in frame["choices"]
    )

    assert text == "I note it.\n\nThe first half" + MARK + "I note it.\n\nAnother answer."
