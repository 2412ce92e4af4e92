"""A sentence is read whole or not at all: what one word of it leaves open is not done.

The tools are ones that nobody taught the stand-in: it reads their names and schemas.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest

from plainloop.agent.core.tools import ToolContext, tool
from plainloop.agent.types import ToolSchema
from plainloop_rules.offline.brain.sentence import Unread, read_request
from plainloop_rules.offline.brain.working import choose_move
from plainloop_rules.offline.reading import Done, Reading


async def add_task(tool: ToolContext, title: str, status: Literal["open", "done"] = "open") -> Any:
    """Add a task to the list."""


async def list_tasks(tool: ToolContext, status: Literal["open", "done"] | None = None) -> Any:
    """The user's tasks."""


async def update_task(
    tool: ToolContext, task_id: int, status: Literal["open", "done"], title: str | None = None
) -> Any:
    """Set a task's status."""


async def get_weather(tool: ToolContext, city: str, days: int = 1) -> Any:
    """The weather forecast of a city."""


async def water_plant(tool: ToolContext, plant: str, liters: float = 1) -> Any:
    """Give a plant water."""


async def book_room(tool: ToolContext, people: int, date: str, projector: bool = False) -> Any:
    """Book a meeting room."""


async def send_message(tool: ToolContext, recipient: str, text: str) -> Any:
    """Send a message to somebody."""


async def archive_order(tool: ToolContext, order_id: int) -> Any:
    """Archive an order."""


async def list_orders(tool: ToolContext, customer: str | None = None) -> Any:
    """Orders of the shop."""


async def list_invoices(tool: ToolContext, paid: bool | None = None) -> Any:
    """Invoices of the user."""


async def add_recipe(tool: ToolContext, name: str, ingredients: list[str]) -> Any:
    """Add a recipe."""


def make_schemas(*functions: Callable[..., Any]) -> tuple[ToolSchema, ...]:
    return tuple(tool("read")(function).schema for function in functions)


TASKS = make_schemas(add_task, list_tasks, update_task)
HOME = make_schemas(get_weather, water_plant, book_room, send_message)
SHOP = make_schemas(list_orders, archive_order, list_invoices, add_recipe)


@pytest.mark.parametrize(
    ("text", "tools", "name", "arguments"),
    [
        ("add a task: call mom", TASKS, "add_task", {"title": "call mom"}),
        (
            "add a task: call mom and list eggs",
            TASKS,
            "add_task",
            {"title": "call mom and list eggs"},
        ),
        ("please add a task: call mom, thanks!", TASKS, "add_task", {"title": "call mom"}),
        ("new task: call mom", TASKS, "add_task", {"title": "call mom"}),
        (
            'add the task "call mom", status: done',
            TASKS,
            "add_task",
            {"title": "call mom", "status": "done"},
        ),
        ("mark task 1 as done", TASKS, "update_task", {"task_id": 1, "status": "done"}),
        ("list my open tasks", TASKS, "list_tasks", {"status": "open"}),
        ("how many open tasks do I have?", TASKS, "list_tasks", {"status": "open"}),
        ("what tasks are done?", TASKS, "list_tasks", {"status": "done"}),
        ("what's the weather in Oslo?", HOME, "get_weather", {"city": "Oslo"}),
        ("get_weather city: Oslo, days: 2", HOME, "get_weather", {"city": "Oslo", "days": 2}),
        ("water the ficus, liters: 2", HOME, "water_plant", {"plant": "ficus", "liters": 2}),
        (
            "book a room on 2026-12-01, people: 4, projector: yes",
            HOME,
            "book_room",
            {"people": 4, "date": "2026-12-01", "projector": True},
        ),
        (
            "send a message, recipient: Bob, text: lunch at noon, or later",
            HOME,
            "send_message",
            {"recipient": "Bob", "text": "lunch at noon, or later"},
        ),
        ("archive order 12", SHOP, "archive_order", {"order_id": 12}),
        ("list orders, customer: Smith", SHOP, "list_orders", {"customer": "Smith"}),
        (
            "add a recipe, name: pancakes, ingredients: flour, milk",
            SHOP,
            "add_recipe",
            {"name": "pancakes", "ingredients": ["flour", "milk"]},
        ),
    ],
)
def test_a_completely_understood_sentence_becomes_a_call(
    text: str, tools: tuple[ToolSchema, ...], name: str, arguments: dict[str, Any]
) -> None:
    deed = read_request(text, tools)

    assert not isinstance(deed, Unread), deed
    assert (deed.tool.name, deed.arguments, deed.missing) == (name, arguments, ())


@pytest.mark.parametrize(
    ("text", "tools", "words"),
    [
        ("don't send a message to Bob", HOME, "don't send a message to Bob"),
        ("should I water the ficus?", HOME, "should I water the ficus"),
        ("I watered the ficus yesterday", HOME, "I watered the ficus yesterday"),
        ("water the ficus unless it rained", HOME, "ficus unless it rained"),
        ("how do I add a task?", TASKS, "how do I add a task"),
        ("list tasks about gardening", TASKS, "about gardening"),
        ("show all tasks except done ones", TASKS, "except done ones"),
        ("list unpaid invoices", SHOP, "unpaid invoices"),
        ("list invoices over 100", SHOP, "over 100"),
        ("add Dune by Frank Herbert", TASKS, "Dune by Frank Herbert"),
        ("mark task 1 as done and tell Bob", TASKS, "tell Bob"),
        ("water the ficus and then the fern", HOME, "then the fern"),
        ("water the ficus with 2 liters", HOME, "2 liters"),
        ("add a task: call mom, then list my tasks", TASKS, "list my tasks"),
        ("add a task: call mom; please delete task 1", TASKS, "please delete task 1"),
        ("archive order 12, or 13", SHOP, "or 13"),
        ("", TASKS, ""),
    ],
)
def test_a_sentence_with_an_unknown_word_is_refused_by_that_word(
    text: str, tools: tuple[ToolSchema, ...], words: str
) -> None:
    assert read_request(text, tools) == Unread(words)


def test_missing_input_of_a_sentence_is_named():
    deed = read_request("book a room", HOME)
    assert not isinstance(deed, Unread)
    assert deed.missing == ("people", "date")


@pytest.mark.parametrize("piece", ["a, ", "a and ", "status: ", "1 ", '"', "add ", "#1,", "x: y, "])
def test_a_sentence_of_many_parts_is_parsed_in_bounded_time(piece: str) -> None:
    """Each comma may end a value or not: tried one by one, these would be 2^300 readings."""
    for head in ("add a task, ", "mark task 1, "):
        assert read_request((head + piece * 300)[:1000], TASKS) is not None


@pytest.mark.parametrize(
    ("result", "answer"),
    [
        ({"order": {"id": 7, "name": "Lamps"}}, "Done: #7 Lamps."),
        ({"error": "order 7 is archived already"}, "did not work: order 7 is archived already"),
    ],
)
def test_calls_already_made_are_reported_for_an_unread_sentence(
    result: dict[str, Any], answer: str
):
    made = Done("archive_order", {"order_id": 7}, result)
    reading = Reading("", "make the lamp thing go away", (made,), ())

    move = choose_move(reading, SHOP)

    assert move.calls == ()
    assert answer in move.text
    assert "I did nothing" not in move.text
    assert "I did nothing" in choose_move(Reading("", reading.request, (), ()), SHOP).text
