"""The names that other programs use, as somebody uses them who has read the documents only."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import FrozenInstanceError, fields

import pytest

import plainloop
from plainloop.agent import providers
from plainloop.agent.config.settings import Limits
from plainloop.agent.core.tools import ToolContext, tool
from plainloop.agent.errors import MissingKeyError
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest

ENGINE = (
    *("initialize_state", "merge_state", "trim_messages", "run_agent", "dispatch_node"),
    *("needs_evaluator", "count_tool_calls", "call_openai", "call_anthropic", "ToolRegistry"),
    *("execute_tool", "load_messages", "save_message", "AgentState", "RequestContext"),
)
PROVIDERS = (
    *("ChatProvider", "Message", "MessagePart", "FunctionCall", "FunctionResponse", "ToolSchema"),
    *("StreamDelta", "LLMResponse", "PROVIDER_DEFAULTS", "create_provider"),
)


def test_every_public_name_can_be_imported_from_plainloop():
    names = {*ENGINE, *PROVIDERS}
    assert names - {*dir(plainloop)} == set()
    assert [name for name in names if getattr(plainloop, name) is None] == []
    assert [n for n in PROVIDERS if getattr(providers, n) is not getattr(plainloop, n)] == []


def test_an_unknown_name_of_plainloop_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'merge_states'"):
        _ = plainloop.merge_states


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("initialize_state", ["messages", "data", "start"]),
        ("merge_state", ["state", "update", "node"]),
        ("trim_messages", ["messages", "window_tokens"]),
        ("run_agent", ["message", "ctx"]),
        ("dispatch_node", ["name", "state", "ctx"]),
        ("create_provider", ["provider", "api_key", "model", "api_base"]),
    ],
)
def test_public_functions_have_the_agreed_parameters(name: str, parameters: list[str]):
    signature = inspect.signature(getattr(plainloop, name))
    by_position = [
        p.name for p in signature.parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD
    ]
    assert by_position == parameters


def test_agent_state_has_exactly_the_agreed_keys():
    assert list(plainloop.AgentState.__annotations__) == [
        *("messages", "route_to", "success_criteria", "feedback", "done", "fast_intent"),
        *("entity_type", "query", "result", "tokens", "data"),
    ]
    assert list(plainloop.initialize_state()) == list(plainloop.AgentState.__annotations__)


def test_request_context_has_the_agreed_fields_and_is_immutable():
    names = [item.name for item in fields(plainloop.RequestContext)]
    assert names[:4] == ["thread_id", "tenant_id", "schema_context", "tools"]
    context = object.__new__(plainloop.RequestContext)
    with pytest.raises(FrozenInstanceError):
        context.tenant_id = "another"


def test_the_limits_are_the_agreed_ones_unless_set():
    limits = Limits()
    assert (limits.worker_turns, limits.react_turns, limits.onboarding_turns) == (20, 15, 6)
    assert (limits.evaluator_retries, limits.parallel_tool_calls, limits.repeated_calls) == (
        2,
        8,
        3,
    )
    assert (limits.tool_timeout_s, limits.model_timeout_s, limits.run_timeout_s) == (30, 120, 300)
    assert (limits.window_tokens, limits.max_output_tokens) == (6000, 8096)


async def test_a_model_can_be_called_without_a_service():
    chat = plainloop.create_provider("offline")
    request = ChatRequest("", [{"role": "user", "parts": [{"type": "text", "text": "hello"}]}])
    *deltas, last = [item async for item in chat.generate_stream(request)]

    assert "".join(delta.text for delta in deltas) == last.text != ""
    with pytest.raises(MissingKeyError):
        plainloop.create_provider("openai")


def test_tools_can_be_registered_without_a_service():
    @tool("read")
    async def add(tool: ToolContext, a: int, b: int = 0) -> int:
        """Add two numbers."""
        return a + b

    registry = plainloop.ToolRegistry([add])
    (schema,) = registry.get_tool_definitions()
    assert (schema.name, schema.description) == ("add", "Add two numbers.")
    assert schema.parameters == {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a"],
    }
    assert plainloop.ToolRegistry().get_tool_definitions() == ()


def test_importing_plainloop_loads_no_submodule():
    source = (
        "import plainloop, sys;print(sorted(m for m in sys.modules if m.startswith('plainloop.')))"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, check=True)

    assert done.stdout.decode().strip() == "['plainloop.agent']"


async def test_messages_are_saved_and_loaded_by_plain_functions(store: Store):
    thread = await store.create_thread("acme", "ann", pack="any")
    said = {"role": "user", "parts": [{"type": "text", "text": "hello"}]}

    assert await plainloop.save_message(store, "acme", thread.thread_id, None, said) == 0
    (loaded,) = await plainloop.load_messages(store, "acme", thread.thread_id)
    assert {key: loaded[key] for key in said} == said
    assert await plainloop.load_messages(store, "umbrella", thread.thread_id) == []
