"""The models that are there, what each can do, and the lists that tell it."""

from __future__ import annotations

import hashlib
import re
from typing import Any, Final

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS

_MODIFIED_AT: Final = "2026-01-01T00:00:00Z"
_SIZE_BYTES: Final = 4_920_753_328
_DEFAULT_CONTEXT: Final = 131_072
# Families whose template has no place for tools; Source: ollama.com's model pages.
_NO_TOOLS: Final = re.compile(
    r"gemma[23]?\b|llama[23]\b(?!\.)|phi[34]?\b(?!-mini)|deepseek-r1\b|codellama|vicuna|orca"
    r"|stablelm|tinyllama|dolphin|nomic-embed|mxbai-embed"
)
_THINKS: Final = re.compile(r"qwen3\b|deepseek-r1\b|gpt-oss\b|magistral\b")
_EMBEDS: Final = re.compile(r".*embed")
_CONTEXTS: Final = {"llama2": 4_096, "llama3": 8_192, "gemma2": 8_192, "nomic-embed-text": 2_048}


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model that the server serves; `name` with its tag."""

    name: str
    capabilities: tuple[str, ...]
    context_tokens: int

    @property
    def family(self) -> str:
        return self.name.partition(":")[0]


def list_local() -> list[LocalModel]:
    """List the local models that this server simulates.

    They are plainloop's defaults, and models with other capabilities.
    """
    defaults = PROVIDER_DEFAULTS["ollama"]
    names = {defaults.default_model, defaults.small_model, "qwen3:4b", "gemma2:2b"}
    return [describe_model(name) for name in sorted({*names, "nomic-embed-text"})]


def describe_model(name: str) -> LocalModel:
    """Return the capabilities and the context window of a model.

    The family in its name decides; any name is accepted.

    >>> describe_model("llama3.1")
    LocalModel(name='llama3.1:latest', capabilities=('completion', 'tools'), context_tokens=131072)
    """
    tagged = name if ":" in name else f"{name}:latest"
    family = tagged.partition(":")[0].rpartition("/")[2]
    capabilities = ["embedding" if _EMBEDS.match(family) else "completion"]
    if not _NO_TOOLS.match(family):
        capabilities.append("tools")
    if _THINKS.match(family):
        capabilities.append("thinking")
    return LocalModel(tagged, tuple(capabilities), _CONTEXTS.get(family, _DEFAULT_CONTEXT))


def to_tags() -> dict[str, Any]:
    """Build the answer of `GET /api/tags`: the pulled models."""
    return {"models": [_to_tag(model) for model in list_local()]}


def _to_tag(model: LocalModel) -> dict[str, Any]:
    return {
        "name": model.name,
        "model": model.name,
        "modified_at": _MODIFIED_AT,
        "size": _SIZE_BYTES,
        "digest": hashlib.sha256(model.name.encode()).hexdigest(),
        "details": _to_details(model),
    }


def _to_details(model: LocalModel) -> dict[str, Any]:
    return {
        "parent_model": "",
        "format": "gguf",
        "family": model.family,
        "families": [model.family],
        "parameter_size": "8.0B",
        "quantization_level": "Q4_K_M",
    }
