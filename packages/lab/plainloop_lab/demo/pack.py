"""The shop's worker, its tools, and how the stand-in plays it: it does what the prompt says."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Final

from plainloop.agent.core.spec import Pack, WorkerSpec
from plainloop.agent.core.tools import ToolContext, tool
from plainloop.agent.types import ChatRequest, ToolSchema
from plainloop_rules.offline.reading import Call, Move, Reading
from plainloop_rules.offline.rules import OfflineRules, TurnRule

FOLDER: Final = Path(__file__).parent
PROMPT: Final = "PLAINLOOP_DEMO_PROMPT"
WORKER: Final = "shop"
LOOKS_UP: Final = "Look the order up before"
ASKS: Final = "Ask for a yes before"
STATES: Final = ("packed", "on its way", "at the shop", "in the workshop")
_NUMBER: Final = re.compile(r"order (\d{1,6})", re.IGNORECASE)
_YES: Final = re.compile(r"\byes\b", re.IGNORECASE)
_CANCEL: Final = re.compile(r"\bcancel\b", re.IGNORECASE)


@tool("read")
async def find_order(tool: ToolContext, number: int) -> Any:
    """What is known of an order."""
    return {"number": number, "state": STATES[number % len(STATES)]}


@tool("write")
async def cancel_order(tool: ToolContext, number: int) -> Any:
    """Cancel an order. It cannot be taken back."""
    return {"number": number, "cancelled": True}


def build_pack() -> Pack:
    """Build the demo's pack: one worker of a bicycle shop with two tools."""
    path = Path(os.environ.get(PROMPT) or FOLDER / "prompt.md")
    worker = WorkerSpec(
        name=WORKER,
        description="answers customers about their orders",
        prompt=path.read_text(encoding="utf-8").strip(),
        tools=(find_order.name, cancel_order.name),
        evaluate="never",
    )
    return Pack(
        name="demo",
        title="A bicycle shop",
        workers=(worker,),
        default_worker=WORKER,
        tools=(find_order, cancel_order),
        load_offline_rules=load_rules,
    )


def load_rules() -> OfflineRules:
    """Load the rules with which the offline provider answers as the demo shop's model."""
    return OfflineRules(turns=(TurnRule(is_shop, choose_move),))


def is_shop(reading: Reading, tools: tuple[ToolSchema, ...]) -> bool:
    """Whether a request to the offline provider comes from the shop's worker."""
    return cancel_order.name in {item.name for item in tools}


def choose_move(reading: Reading, request: ChatRequest) -> Move:
    """Choose the next tool call or answer of the demo shop's model.

    Skips the steps that the prompt does not mention.
    """
    cancels = bool(_CANCEL.search(reading.request))
    agrees = bool(_YES.search(reading.request)) and "Shall I cancel" in reading.last_answer
    named = _NUMBER.search(reading.request) or _NUMBER.search(reading.last_answer)
    if named is None:
        return Move(text="Which order is it, please?")
    number = int(named[1])
    done = {call.name: call for call in reading.calls}
    if (cancels and ASKS not in reading.system) or agrees:
        if cancel_order.name not in done:
            return Move((Call(cancel_order.name, {"number": number}),))
        return Move(text=f"Order {number} is cancelled.")
    if LOOKS_UP in reading.system and find_order.name not in done:
        return Move((Call(find_order.name, {"number": number}),))
    if cancels:
        return Move(text=f"Shall I cancel order {number}? Please say yes.")
    found: Any = done[find_order.name].result if done else {"state": "surely on its way"}
    return Move(text=f"Order {number} is {found['state']}.")
