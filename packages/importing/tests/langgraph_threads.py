"""Threads as today's langgraph writes them, and what its own `get_state` says of each: tools,
parallel ones, interrupts, trimmed histories, subgraphs. Run with that library on the path.

    python langgraph_threads.py CHECKPOINTS.sqlite EXPECTED.jsonl COUNT
"""

# pyright: basic, reportMissingImports=false

from __future__ import annotations

import json
import random
import sqlite3
import sys
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, Send, interrupt

CHANCE = random.Random(7)
USAGE = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
SAYINGS = (
    *("hello", "look please", "look look look", "book it", "look book", "fail now", "look fail"),
    *("Grüße 🎭 an alle", "  spaces\n\nlines "),
)


@tool
def look(row: int) -> str:
    """Look."""
    return f"row {row} is free"


@tool
def book(seat: int) -> str:
    """Book."""
    return "booked" if interrupt({"question": f"Book seat {seat}?"}) else "not booked"


@tool
def fail(n: int) -> str:
    """Fail."""
    raise ValueError(f"no {n}")


def agent(state: Any) -> Any:
    last = state["messages"][-1]
    if isinstance(last, ToolMessage):
        return {"messages": [AIMessage(f"Result: {last.content}", usage_metadata=USAGE)]}
    calls = []
    for word in last.content.split():
        for name, argument in (("look", "row"), ("book", "seat"), ("fail", "n")):
            if word == name:
                call_id = f"call_{CHANCE.getrandbits(64):016x}"
                calls.append(
                    {"name": name, "args": {argument: CHANCE.randint(1, 9)}, "id": call_id}
                )
    text = "" if calls and CHANCE.random() < 0.5 else f"You said: {last.content}"
    return {"messages": [AIMessage(text, tool_calls=calls, usage_metadata=USAGE)]}


def trim(state: Any) -> Any:
    kept = state["messages"][-4:] if len(state["messages"]) > 6 else state["messages"]
    while not isinstance(kept[0], HumanMessage):
        kept = kept[1:]
    ids = {message.id for message in kept}
    gone = [message.id for message in state["messages"] if message.id not in ids]
    return {"messages": [RemoveMessage(id=message_id) for message_id in gone]}


def route(state: Any) -> Any:
    return "tools" if getattr(state["messages"][-1], "tool_calls", []) else END


def route_each(state: Any) -> Any:
    calls = getattr(state["messages"][-1], "tool_calls", [])
    return [Send("tools", [call]) for call in calls] or END


def make_graph(kind: str, saver: Any) -> Any:
    graph = StateGraph(MessagesState)
    graph.add_node("agent", agent)
    graph.add_node("tools", ToolNode([look, book, fail], handle_tool_errors=True))
    graph.add_node("trim", trim)
    graph.add_edge(START, "trim" if kind == "trimmed" else "agent")
    graph.add_edge("trim", "agent")
    graph.add_edge("tools", "agent")
    chosen = route_each if kind == "send" else route
    graph.add_conditional_edges("agent", chosen, ["tools", END])
    if kind != "subgraph":
        return graph.compile(checkpointer=saver)
    outer = StateGraph(MessagesState)
    outer.add_node("desk", graph.compile())
    outer.add_edge(START, "desk")
    outer.add_edge("desk", END)
    return outer.compile(checkpointer=saver)


def show(message: Any) -> dict[str, Any]:
    calls = [{"name": c["name"], "args": c["args"]} for c in getattr(message, "tool_calls", [])]
    shown = {"type": message.type, "content": message.content}
    return {**shown, "tool_calls": calls} if calls else shown


def write_thread(graph: Any, thread_id: str) -> dict[str, Any]:
    config = {"configurable": {"thread_id": thread_id}}
    for _ in range(CHANCE.randint(1, 5)):
        if graph.get_state(config).next:  # it waits: it is answered, or left so
            if CHANCE.random() < 0.7:
                graph.invoke(Command(resume=CHANCE.random() < 0.5), config)
            break
        graph.invoke({"messages": [HumanMessage(CHANCE.choice(SAYINGS))]}, config)
    state = graph.get_state(config, subgraphs=True)
    messages = state.values["messages"]
    for task in state.tasks:  # what an unfinished subgraph has beyond the root
        if hasattr(task.state, "values"):
            messages = messages + task.state.values["messages"][len(messages) :]
    waits = any(task.interrupts for task in state.tasks)
    return {"thread_id": thread_id, "messages": [*map(show, messages)], "waits": waits}


def main(path: str, expected: str, count: str) -> None:
    connection = sqlite3.connect(path, check_same_thread=False)
    connection.execute("pragma synchronous = off")
    saver = SqliteSaver(connection)
    graphs = {kind: make_graph(kind, saver) for kind in ("plain", "trimmed", "send", "subgraph")}
    with open(expected, "w", encoding="utf-8") as file:  # noqa: PTH123
        for n in range(int(count)):
            kind = CHANCE.choice([*graphs])
            file.write(json.dumps(write_thread(graphs[kind], f"{kind}-{n}")) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
