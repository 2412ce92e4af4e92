"""plainloop: an agent service without a framework, readable in an afternoon.

The names that other programs and the documents use can be taken from here, wherever they live:
`from plainloop import merge_state`. A module is imported when the first of its names is asked for.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any, Final

# In a checkout `agent`, `server` and `migrations` stand beside this folder, in a wheel in it: no
# links are needed, which Windows cannot check out, and a copy on PYTHONPATH imports itself.
_here, _name = os.path.split(__path__[0])
if not os.access(f"{_here}/{_name}/agent", os.F_OK):
    __path__.append(_here)

from plainloop.agent import __version__ as __version__  # noqa: E402

_HOMES: Final = {
    ".agent.core.state": ("AgentState", "initialize_state", "merge_state"),
    ".agent.core.policy": ("trim_messages", "needs_evaluator", "count_tool_calls"),
    ".agent.core.context": ("RequestContext",),
    ".agent.core.loop": ("run_agent", "dispatch_node"),
    ".agent.core.llm": ("call_openai", "call_anthropic"),
    ".agent.core.tools": ("ToolRegistry", "execute_tool"),
    ".agent.store.opening": ("load_messages", "save_message"),
    ".agent.providers": ("PROVIDER_DEFAULTS", "create_provider"),
    ".agent.types": (
        *("ChatProvider", "ChatRequest", "Message", "MessagePart", "FunctionCall"),
        *("FunctionResponse", "ToolSchema", "StreamDelta", "LLMResponse"),
    ),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(module, __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *(name for names in _HOMES.values() for name in names)})
