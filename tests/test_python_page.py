"""docs/python.md shows the public names as the code has them; the layers are drawn as they are.

After a change that is meant: `PLAINLOOP_UPDATE_DOCS=1 ./scripts/test tests/test_python_page.py`.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, is_typeddict

import pytest

import plainloop
from scripts.layers import draw_layers
from tests.processes import run_program

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "python.md"
PICTURE: Final = ROOT / "docs" / "samples" / "layers.svg"
UPDATE: Final = bool(os.environ.get("PLAINLOOP_UPDATE_DOCS"))
BLOCK: Final = re.compile(
    r"(<!-- made by tests/test_python_page.py: (\w+) -->\n).*?(?=<!-- end -->)", re.S
)
BREAK: Final = re.compile(r", (?=\*|\w+(?:[:=,)]| =))")  # between two parameters
WIDE: Final = 110  # characters of a signature on one line

# Section of the page: module, and its names or `Class.method`s; none: all of `plainloop`.
SECTIONS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "engine": {
        "plainloop": (
            *("initialize_state", "merge_state", "run_agent", "dispatch_node", "trim_messages"),
            *("needs_evaluator", "count_tool_calls", "execute_tool", "load_messages"),
            *("save_message", "AgentState", "RequestContext", "ToolRegistry"),
        )
    },
    "providers": {
        "plainloop": (
            *("create_provider", "call_openai", "call_anthropic", "PROVIDER_DEFAULTS"),
            *("ChatProvider", "ChatRequest", "LLMResponse", "StreamDelta", "Message"),
            *("MessagePart", "FunctionCall", "FunctionResponse", "ToolSchema"),
        )
    },
    "service": {
        "plainloop.agent.config.settings": ("load_settings",),
        "plainloop.agent.service.opening": ("open_service",),
        "plainloop.agent.service.service": (
            *("Service.ensure_thread", "Service.answer", "Service.make_agent"),
            "Service.parse_text",
        ),
    },
    "client": {
        "plainloop.client": (
            *("Client", "Client.create_conversation", "Client.list_conversations", "Client.ask"),
            *("Client.ask_text", "Client.watch", "Client.cancel", "Client.decide"),
            *("Client.decide_all", "Client.rate", "Client.request"),
        )
    },
    "packs": {
        "plainloop.agent.core.spec": (
            *("Pack", "WorkerSpec", "EntitySpec", "FieldSpec", "Interview", "Check"),
        ),
        "plainloop.agent.core.tools": ("tool", "ToolContext", "ToolOutcome"),
        "plainloop.agent.core.api": ("ApiRoute", "ApiRequest"),
        "plainloop.agent.errors": ("AgentError", "ToolError"),
    },
    "designs": {
        "plainloop.agent.designs.base": ("NodeTable", "Agent", "OnboardingAgent", "ResumeParser"),
        "plainloop.agent.core.llm": ("ModelCall", "call_model"),
        "plainloop.agent.core.history": ("build_request_messages", "make_text_message"),
        "plainloop.agent.core.answers": ("AnswerStream",),
    },
}


def write_section(modules: dict[str, tuple[str, ...]]) -> str:
    """Write the names of one section as Python shows them, each with its purpose."""
    lines: list[str] = []
    for module, names in modules.items():
        home = import_module(module)
        lines.append(f"# from {module} import …")
        for name in names:
            thing: Any = home
            for part in name.split("."):
                thing = getattr(thing, part)
            lines.extend(describe(name, thing))
    return "```python\n" + "\n".join(lines) + "\n```\n"


def describe(name: str, thing: Any) -> Iterator[str]:
    """Yield the name with what it takes, and the first sentence of its docstring."""
    purpose = first_sentence(thing)
    if inspect.isfunction(thing):
        signature = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(thing)))
        signature = signature.replace("(self, ", "(").replace("(self)", "()")
        signature = re.sub(r" = RunOptions\(.*\)(?=\) ->)", " = RunOptions()", signature)
        prefix = "async " if inspect.iscoroutinefunction(thing) else ""
        yield from wrap(f"{prefix}{name}{signature}", purpose)
    elif is_typeddict(thing):
        yield from wrap(f"{name}{{{', '.join(thing.__annotations__)}}}", purpose)
    elif names := getattr(thing, "__struct_fields__", None):
        yield from wrap(f"{name}({', '.join(names)})", purpose)
    elif is_dataclass(thing):
        public = (item.name for item in fields(thing) if not item.name.startswith("_"))
        yield from wrap(f"{name}({', '.join(public)})", purpose)
    else:
        yield from wrap(name, purpose if inspect.isclass(thing) else "")


def wrap(head: str, purpose: str) -> Iterator[str]:
    lines = [head]
    while len(lines[-1]) > WIDE:
        cuts = [found.end() for found in BREAK.finditer(lines[-1]) if found.start() < WIDE]
        if not cuts:
            break
        lines[-1:] = [lines[-1][: cuts[-1]].rstrip(), f"    {lines[-1][cuts[-1] :]}"]
    yield from lines
    if purpose:
        yield f"    # {purpose}"


def first_sentence(thing: Any) -> str:
    paragraph = " ".join((thing.__doc__ or "").split("\n\n")[0].split())
    return paragraph if len(paragraph) <= WIDE else paragraph.partition(". ")[0]


def test_the_python_page_shows_the_codes_signatures():
    text = PAGE.read_text(encoding="utf-8")
    written = BLOCK.sub(lambda found: found[1] + write_section(SECTIONS[found[2]]), text)
    if UPDATE:
        PAGE.write_text(written, encoding="utf-8")

    assert {name for _, name in BLOCK.findall(text)} == {*SECTIONS}
    assert UPDATE or text == written


def test_every_public_name_is_documented():
    text = PAGE.read_text(encoding="utf-8")
    public = {name for names in plainloop._HOMES.values() for name in names}  # pyright: ignore[reportPrivateUsage]

    assert [name for name in sorted(public) if not re.search(rf"\b{name}\b", text)] == []


def test_the_layers_picture_matches_the_table():
    if UPDATE:
        PICTURE.write_text(draw_layers(), encoding="utf-8")
    assert PICTURE.read_text(encoding="utf-8") == draw_layers()


@pytest.mark.parametrize("name", ["python.md", "architecture.md"])
async def test_the_python_pages_first_program_runs(name: str, tmp_path: Path):
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    program = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)[0]
    promised = re.findall(r"# ({.*})$", program, re.M)

    told = await run_program(sys.executable, "-c", program, folder=ROOT)

    assert told.strip()
    assert not promised or told.strip() == promised[0]
