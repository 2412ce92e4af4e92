"""Requests readable thinking if the run shows it, until a server refuses.

Some accounts may not read it (OpenAI's organisations that are not verified), some models and
gateways do not know the field. The request is made once more without it; for an hour, the process
does not ask that account's model again.

Source: BerriAI/litellm #16032, lobehub/lobehub #7985.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Any, Final

from ..base.caching.bounded import BoundedCache
from ..types import ChatRequest
from .provider_state import Target

# An hour: an organisation may be verified meanwhile, and each try costs a refused request.
REFUSED_S: Final = 3600.0
NOTE: Final = "the model's thinking is not shown: its server refused to"
_refused: Final = BoundedCache()


def asks_for_thinking(request: ChatRequest, target: Target, notes: list[str]) -> bool:
    """Return whether to request readable thinking: not if it was refused recently."""
    if not request.shows_reasoning:
        return False
    refused_s: Any = _refused.get(_key(target))
    if refused_s is None or time.monotonic() - refused_s[0] > REFUSED_S:
        return True
    notes.append(NOTE)
    return False


def summarises(target: Target, thinking: Mapping[str, Any]) -> bool:
    """Return whether the model returns summaries of its thinking under these settings."""
    budget, models = thinking.get("thinking_budget"), target.quirks.summarising_models
    if models is None or budget == 0:
        return False
    return bool(budget) or re.match(models, target.model) is not None


def remember_refusal(target: Target) -> None:
    """Stop requesting this model's thinking for a while, because the account may not read it."""
    _refused.put(_key(target), time.monotonic(), len(target.owner) + len(target.model))


def _key(target: Target) -> tuple[str, str, str]:
    return target.provider, target.model, target.owner
