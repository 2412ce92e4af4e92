"""Tools that the stand-in was never taught about: chosen by their words, filled by their schemas.

What a sentence does not plainly say is no argument, least of all a filter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest

from plainloop.agent.core.tools import ToolContext, tool
from plainloop.agent.offline.brain.brain import answer
from plainloop.agent.offline.brain.tool_choice import plan_actions
from plainloop.agent.types import ChatRequest, ToolSchema


async def add_task(tool: ToolContext, title: str, status: Literal["open", "done"] = "open") -> Any:
    """Add a task to the list."""


async def list_tasks(tool: ToolContext, status: Literal["open", "done"] | None = None) -> Any:
    """The user's tasks."""


async def update_task(tool: ToolContext, task_id: int, status: Literal["open", "done"]) -> Any:
    """Set a task's status."""


async def add_book(tool: ToolContext, title: str, author: str | None = None) -> Any:
    """Put a book on the reading list."""


async def list_books(tool: ToolContext, author: str | None = None) -> Any:
    """The reading list."""


async def get_weather(tool: ToolContext, city: str, days: int = 1) -> Any:
    """The weather forecast of a city."""


async def convert_currency(
    tool: ToolContext, amount: float, from_currency: str, to_currency: str
) -> Any:
    """Convert an amount of money."""


async def roll_dice(tool: ToolContext, count: int = 1, sides: int = 6) -> Any:
    """Roll dice."""


async def current_time(tool: ToolContext) -> Any:
    """The current time."""


async def water_plant(tool: ToolContext, plant: str, liters: float = 1) -> Any:
    """Give a plant water."""


async def book_room(tool: ToolContext, people: int, date: str, projector: bool = False) -> Any:
    """Book a meeting room."""


async def send_message(tool: ToolContext, recipient: str, text: str) -> Any:
    """Send a message to somebody."""


async def log_hours(tool: ToolContext, hours: float, project: str) -> Any:
    """Log hours worked on a project."""


async def archive_order(tool: ToolContext, order_id: int) -> Any:
    """Archive an order."""


async def list_orders(tool: ToolContext, customer: str | None = None) -> Any:
    """Orders of the shop."""


async def create_invoice(
    tool: ToolContext, customer: str, amount: float, currency: Literal["EUR", "USD"] = "EUR"
) -> Any:
    """Create an invoice."""


async def list_invoices(tool: ToolContext, paid: bool | None = None) -> Any:
    """Invoices of the user."""


async def turn_on_light(tool: ToolContext, room: str) -> Any:
    """Switch the light of a room on."""


async def turn_off_light(tool: ToolContext, room: str) -> Any:
    """Switch the light of a room off."""


async def set_temperature(tool: ToolContext, room: str, degrees: float) -> Any:
    """Set the temperature of a room."""


async def open_ticket(
    tool: ToolContext, subject: str, priority: Literal["low", "high"] = "low"
) -> Any:
    """Open a support ticket."""


async def add_recipe(tool: ToolContext, name: str, ingredients: list[str]) -> Any:
    """Add a recipe."""


def make_schemas(*functions: Callable[..., Any]) -> tuple[ToolSchema, ...]:
    return tuple(tool("read")(function).schema for function in functions)


TASKS = make_schemas(add_task, list_tasks, update_task)
BOOKS = make_schemas(add_book, list_books)
DESK = make_schemas(get_weather, convert_currency, roll_dice, current_time)
OFFICE = make_schemas(book_room, send_message, log_hours)
SHOP = make_schemas(list_orders, archive_order, create_invoice, list_invoices)
HOME = make_schemas(turn_on_light, turn_off_light, set_temperature, water_plant)
HELP = make_schemas(open_ticket, add_recipe)


@pytest.mark.parametrize(
    ("text", "tools", "name", "arguments"),
    [
        ("add a task: call mom", TASKS, "add_task", {"title": "call mom"}),
        ("Please add a task to call mom.", TASKS, "add_task", {"title": "call mom"}),
        ("new task: call mom", TASKS, "add_task", {"title": "call mom"}),
        ("add call mom to my tasks", TASKS, "add_task", {"title": "call mom"}),
        ("can you put 'call mom' on my list?", TASKS, "add_task", {"title": "call mom"}),
        ("mark task 1 as done", TASKS, "update_task", {"task_id": 1, "status": "done"}),
        ("list my open tasks", TASKS, "list_tasks", {"status": "open"}),
        ("what tasks are done?", TASKS, "list_tasks", {"status": "done"}),
        (
            "add Dune by Frank Herbert",
            BOOKS,
            "add_book",
            {"title": "Dune", "author": "Frank Herbert"},
        ),
        ("books by Frank Herbert", BOOKS, "list_books", {"author": "Frank Herbert"}),
        ("what's the weather in Oslo?", DESK, "get_weather", {"city": "Oslo"}),
        ("weather for Paris for 3 days", DESK, "get_weather", {"city": "Paris", "days": 3}),
        (
            "convert 10 EUR to USD",
            DESK,
            "convert_currency",
            {"amount": 10, "from_currency": "EUR", "to_currency": "USD"},
        ),
        ("roll two dice with 20 sides", DESK, "roll_dice", {"count": 2, "sides": 20}),
        ("what time is it?", DESK, "current_time", {}),
        (
            "book a room for 4 people on 2026-12-01 with a projector",
            OFFICE,
            "book_room",
            {"people": 4, "date": "2026-12-01", "projector": True},
        ),
        (
            "send a message to Bob: lunch at noon?",
            OFFICE,
            "send_message",
            {"recipient": "Bob", "text": "lunch at noon"},
        ),
        (
            "log 3 hours on the Apollo project",
            OFFICE,
            "log_hours",
            {"hours": 3, "project": "Apollo"},
        ),
        ("orders for Smith", SHOP, "list_orders", {"customer": "Smith"}),
        ("archive order 12", SHOP, "archive_order", {"order_id": 12}),
        (
            "create an invoice for Acme over 250 USD",
            SHOP,
            "create_invoice",
            {"customer": "Acme", "amount": 250, "currency": "USD"},
        ),
        ("turn the light in the hall off", HOME, "turn_off_light", {"room": "hall"}),
        ("turn on the kitchen light", HOME, "turn_on_light", {"room": "kitchen"}),
        (
            "set the temperature in the bedroom to 21",
            HOME,
            "set_temperature",
            {"room": "bedroom", "degrees": 21},
        ),
        (
            "water the ficus with 2 liters",
            HOME,
            "water_plant",
            {"plant": "ficus", "liters": 2},
        ),
        (
            "open a high priority ticket: server down",
            HELP,
            "open_ticket",
            {"subject": "server down", "priority": "high"},
        ),
        (
            "add a recipe pancakes with flour, milk and eggs",
            HELP,
            "add_recipe",
            {"name": "pancakes", "ingredients": ["flour", "milk", "eggs"]},
        ),
    ],
)
def test_a_sentence_is_a_call(
    text: str, tools: tuple[ToolSchema, ...], name: str, arguments: dict[str, Any]
):
    (action,) = plan_actions(text, tools)

    assert (action.tool.name, action.arguments, action.missing) == (name, arguments, ())


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("don't send a message to Bob", OFFICE),
        ("should I water the ficus?", HOME),
        ("I watered the ficus yesterday", HOME),
        ("it is cold", HOME),
        ("is the light on?", HOME),
        ("how do I add a task?", TASKS),
        ("tell me a joke", DESK),
    ],
)
def test_what_asks_for_no_deed_is_none(text: str, tools: tuple[ToolSchema, ...]):
    assert plan_actions(text, tools) == []


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("list tasks about gardening", TASKS),
        ("show all tasks except done ones", TASKS),
        ("list unpaid invoices", SHOP),
        ("list invoices over 100", SHOP),
    ],
)
def test_a_filter_that_was_not_understood_is_none_and_is_confessed(
    text: str, tools: tuple[ToolSchema, ...]
):
    (action,) = plan_actions(text, tools)
    rows = {"rows": [{"id": 1, "title": "one"}]}
    call = {"type": "tool_call", "id": "c1", "name": action.tool.name, "arguments": {}}
    result = {"type": "tool_result", "id": "c1", "name": action.tool.name, "is_error": False}
    messages: Any = [
        {"role": "user", "parts": [{"type": "text", "text": text}]},
        {"role": "assistant", "parts": [call]},
        {"role": "tool", "parts": [{**result, "result": rows}]},
    ]

    assert action.arguments == {}
    told = answer(ChatRequest("You help.", messages, tools)).text
    assert "These may be more than you asked for" in told or "except" in text


def test_what_is_missing_is_asked_for():
    (action,) = plan_actions("book a room", OFFICE)

    assert action.missing == ("people", "date")
