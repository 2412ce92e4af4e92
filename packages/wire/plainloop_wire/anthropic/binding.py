"""Checks thinking blocks in a request: each is accepted, dropped without an error, or refused.

Source of each rule: platform.claude.com, build-with-claude/preserved-thinking, …/prefix-checks and
…/fix-bound-to-a-different-conversation; the types of `input_transformations` in Anthropic's SDK.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.dataclasses import dataclass

from ..api import WireError, load_api
from ..call import WireRequest, read_account
from ..strict import check_shape
from .models import Claude, read_model
from .signature import Prefix, read_signature

_API: Final = load_api("anthropic")

# Without it `block_binding` is an unknown field, and drops are not reported.
# Source: …/fix-bound-to-a-different-conversation, step 1.
BETA: Final = "thinking-binding-controls-2026-08-01"
_THINKING: Final = ("thinking", "redacted_thinking")
_BEHAVIOURS: Final = (None, "error", "drop_block")


@dataclass(frozen=True, slots=True)
class Binding:
    """Result of checking a request's thinking blocks.

    messages: without dropped blocks. prefix: digest of the remaining request, to which the answer's
    blocks are bound.
    """

    model: Claude
    account: str
    messages: list[dict[str, Any]]
    prefix: Prefix
    dropped: list[dict[str, str]] | None  # None: not reported, the beta header is missing
    # Whether the answer starts with thinking; None: only if the brain produced any.
    thinks: bool | None = None
    is_shown: bool = False  # send the text of thinking, not only its signature
    is_between: bool = False  # text before a tool call is thinking: a tool's result came before


def bind(body: Mapping[str, Any], wire: WireRequest) -> Binding:
    """Check that thinking blocks fit the request, and drop or refuse those that do not.

    Raises: WireError, ShapeError.
    """
    is_reported, is_dropping = read_controls(as_object(body.get("thinking")), wire.headers)
    prefix = Prefix(body.get("system"), body.get("tools"))
    reader = _Reader(read_model(body["model"]), read_account(wire.headers), prefix, is_dropping)
    messages: list[dict[str, Any]] = []
    for index, message in enumerate(body["messages"]):
        kept = reader.read(index, message)
        if kept["content"]:
            messages.append(kept)
    dropped = reader.dropped if is_reported else None
    thinks, is_shown = read_thinking(as_object(body.get("thinking")), reader.model)
    newest = body["messages"][-1]["content"]
    has_result = any(as_object(block).get("type") == "tool_result" for block in newest)
    is_between = has_result and thinks is not False and reader.model.thinks_between_tools
    bound = (reader.model, reader.account, messages, prefix, dropped)
    return Binding(*bound, thinks, is_shown, is_between)


def read_thinking(thinking: Mapping[str, Any], model: Claude) -> tuple[bool | None, bool]:
    """Return whether the model thinks, and whether the client gets the thinking.

    The first is None if the model decides itself.

    A real model may skip thinking for easy requests; here a model that thinks by default always
    does. Source: platform.claude.com, build-with-claude/thinking and
    models/sonnet-5-5/migration-guide.
    """
    kind = thinking.get("type")
    is_on = kind in ("adaptive", "enabled") or (kind is None and model.thinks_by_default)
    display = thinking.get("display") or ("omitted" if model.omits_thinking else "summarized")
    is_sure = is_on and model.thinks_by_default
    return (True if is_sure else None if is_on else False), display == "summarized"


@dataclass(slots=True)
class _Reader:
    """Walks through a conversation and digests the blocks that it keeps."""

    model: Claude
    account: str
    prefix: Prefix
    is_dropping: bool
    dropped: list[dict[str, str]]

    def __init__(self, model: Claude, account: str, prefix: Prefix, is_dropping: bool) -> None:
        self.model, self.account = model, account
        self.prefix, self.is_dropping, self.dropped = prefix, is_dropping, []

    def read(self, index: int, message: Mapping[str, Any]) -> dict[str, Any]:
        """Return a message without the thinking blocks that do not fit the request.

        Dropped blocks are noted. Raises: WireError.
        """
        content = message["content"]
        if isinstance(content, str):
            self.prefix.add(message["role"], {"type": "text", "text": content})
            return dict(message)
        kept: list[Any] = []
        is_broken = False  # a dropped block takes the consecutive thinking blocks after it along
        for place, block in enumerate(content):
            if block["type"] in _THINKING:
                where = f"messages.{index}.content.{place}"
                reason = "prefix_binding_mismatch" if is_broken else self._judge(block, where)
                if reason is not None:
                    is_broken = reason == "prefix_binding_mismatch"
                    self.dropped.append(
                        {"type": "thinking_dropped", "path": where, "reason": reason}
                    )
                    continue
            else:
                is_broken = False
            self.prefix.add(message["role"], block)
            kept.append(block)
        return {**message, "content": kept}

    def _judge(self, block: Mapping[str, Any], where: str) -> str | None:
        """Return the reason to drop a block, None to keep it. Raises: WireError."""
        if block["type"] == "redacted_thinking":
            return None
        bound = read_signature(block["thinking"], block["signature"])
        if bound is None:
            raise _API.refuse("signature", where=where)
        maker = read_model(bound.model)
        # One reason per block, in the order of precedence of the SDK's `input_transformations`.
        if maker.binds_account and bound.account != self.account:
            return "organization_binding_mismatch"
        if not self.model.reads(maker):
            return "model_binding_mismatch"
        if self.model.has_preserved_thinking and bound.prefix != self.prefix.digest:
            if not self.is_dropping:
                raise _API.refuse("bound_elsewhere", where=where)
            return "prefix_binding_mismatch"
        return None


def read_controls(thinking: Mapping[str, Any], headers: Mapping[str, str]) -> tuple[bool, bool]:
    """Return how to treat thinking blocks that do not fit the request.

    Returns (whether to report dropped blocks, whether to drop them). Not dropped means refused.
    """
    betas = [name.strip() for name in headers.get("anthropic-beta", "").split(",")]
    is_reported, field = BETA in betas, "block_binding"
    if field not in thinking:
        return is_reported, False
    where = f"thinking.{thinking.get('type')}.{field}"
    if not is_reported:
        raise WireError(400, f"{where}: Extra inputs are not permitted")
    shape: Any = {"prefix_mismatch_behavior": "string"}
    asked = check_shape(thinking[field] or {}, tuple(where.split(".")), {}, shape)
    behaviour = asked.get("prefix_mismatch_behavior")
    if behaviour not in _BEHAVIOURS:
        known = "'error' or 'drop_block'"
        raise WireError(400, f"{where}.prefix_mismatch_behavior: Input should be {known}")
    return is_reported, behaviour == "drop_block"
