"""A pack that ships documents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from packages.retrieval.tests.answering import make_pack as make_answering
from plainloop.agent.core.spec import Pack
from plainloop_retrieval.knowledge import Knowledge

FOLDER = Path(__file__).parent / "shipped"
SHIPPED = Knowledge("shipped", folder=FOLDER)


def make_pack() -> Pack:
    return replace(make_answering(SHIPPED), name="shipping")
