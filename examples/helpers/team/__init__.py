"""A lead whose two helpers look up a price and a stock, at once."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from plainloop.agent.core.spec import Pack, WorkerSpec
from plainloop.agent.core.tools import ToolContext, tool

PRICES, STOCK = {"tea": 4, "coffee": 6}, {"tea": 12, "coffee": 0}


@tool("read")
async def find_price(tool: ToolContext, item: Annotated[str, Meta(min_length=1)]) -> Any:
    """Find the price of an item."""
    return {"item": item, "price": PRICES.get(item)}


@tool("read")
async def count_stock(tool: ToolContext, item: Annotated[str, Meta(min_length=1)]) -> Any:
    """Count how many of an item are there."""
    return {"item": item, "count": STOCK.get(item)}


def make_pack() -> Pack:
    buyer = WorkerSpec(
        name="buyer",
        description="says whether something can be bought",
        prompt="Ask both helpers at once, then say in one sentence whether it can be bought.",
        tools=(),
        helpers=("clerk", "keeper"),
    )
    clerk = WorkerSpec(
        name="clerk", description="finds prices", prompt="You find prices.", tools=("find_price",)
    )
    keeper = WorkerSpec(
        name="keeper", description="counts the stock", prompt="You count.", tools=("count_stock",)
    )
    return Pack(
        name="team",
        title="Team",
        workers=(buyer, clerk, keeper),
        default_worker="buyer",
        tools=(find_price, count_stock),
    )
