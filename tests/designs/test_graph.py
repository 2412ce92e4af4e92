"""The drawing of the orchestrator is what runs walk: no edge more, no edge less."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainloop.agent.core.state import END
from plainloop.agent.designs import react
from plainloop.agent.designs.base import load_design, make_kind_agent
from plainloop.agent.designs.default import GRAPH, build_orchestrator_nodes
from plainloop.agent.designs.react import build_react_nodes
from tests.designs.drawing import drop_labels, parse_drawing
from tests.machine.notes_pack import make_named_pack, make_pack
from tests.machine.scripted import text, tools, triage, verdict

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
LABELS = {"[needs_evaluator?]", "pass"}

DRAWN = {
    ("message", "intent_classifier"),
    ("intent_classifier", "fast_lookup"),
    ("intent_classifier", "fast_count"),
    ("intent_classifier", "fast_list"),
    ("intent_classifier", "agent_router"),
    ("fast_lookup", "format_result"),
    ("fast_lookup", "intent_classifier"),
    ("fast_count", "intent_classifier"),
    ("fast_list", "intent_classifier"),
    ("fast_count", "format_result"),
    ("fast_list", "format_result"),
    ("format_result", "END"),
    ("agent_router", "WORKER"),
    ("WORKER", "WORKER.tools"),
    ("WORKER.tools", "WORKER"),
    ("WORKER", "WORKER.evaluator"),
    ("WORKER", "END"),
    ("WORKER.evaluator", "WORKER"),
    ("WORKER.evaluator", "END"),
}


def name_generally(node: str) -> str:
    for worker in ("note_writer", "poet"):
        node = node.replace(worker, "WORKER")
    return node


def list_edges(told) -> set[tuple[str, str]]:
    ends = told.list_events("node_end")
    return {(name_generally(end["node"]), name_generally(end["next"])) for end in ends}


def test_the_graph_drawing_parses_to_the_expected_edges():
    assert drop_labels(parse_drawing(GRAPH), LABELS) == DRAWN


def test_the_node_table_contains_exactly_the_drawn_nodes():
    table = build_orchestrator_nodes(make_pack())

    drawn = {name for edge in DRAWN for name in edge} - {"message", END}
    assert {name_generally(name) for name in table.nodes} == drawn
    assert ("message", table.start) in DRAWN


def test_the_architecture_page_shows_the_same_graph():
    assert GRAPH in PAGE.read_text(encoding="utf-8")


async def test_runs_walk_every_edge_that_is_drawn_and_no_other(machine):
    pytest.importorskip("plainloop_rules")
    lookup = triage("poet", fast_intent="lookup", entity_type="notes")
    look = triage(
        "poet",
        fast_intent="lookup",
        entity_type="notes",
        filters=[{"field": "text", "value": "milk"}],
    )
    run = await machine(pack=make_named_pack())
    walked: set[tuple[str, str]] = set()
    for question, script in (
        ("how many notes do I have?", []),
        ("list my notes", []),
        ("what was it about milk", [look]),
        ("open the Zebra note", [triage("note_writer"), text("There is none.")]),
        ("how many notes about Zebra do I have?", [triage("note_writer"), text("None.")]),
        ("list my notes about Zebra", [triage("note_writer"), text("There are none.")]),
        ("hello", [triage("note_writer"), tools(("c1", "list_notes", {})), text("None.")]),
        (
            "a poem",
            [
                triage("poet"),
                tools(("c2", "list_notes", {})),
                text("Roses."),
                verdict("retry", "more"),
                text("More roses."),
                verdict("pass"),
            ],
        ),
        ("a lookup of nothing", [lookup, text("What do you mean?"), verdict("pass")]),
    ):
        run.provider.script[:] = script
        told = await run.ask(question)
        assert told.error is None, (question, told.error)
        walked |= list_edges(told)

    assert walked == DRAWN - {("message", "intent_classifier")}


def test_reacts_drawing_equals_its_node_table():
    drawing = (react.__doc__ or "").partition("\n\n")[2]
    edges = parse_drawing(drawing)

    assert edges == {
        ("message", "react"),
        ("react", "react.tools"),
        ("react.tools", "react"),
        ("react", "END"),
    }
    assert set(build_react_nodes(make_pack()).nodes) == {"react", "react.tools"}


def test_all_runs_of_a_pack_share_one_node_table():
    pack, design = make_pack(), load_design("default")

    tables = [
        make_kind_agent(design, "chat", None, thread).build_nodes(pack) for thread in ("one", "two")
    ]

    assert tables[0] is tables[1]
