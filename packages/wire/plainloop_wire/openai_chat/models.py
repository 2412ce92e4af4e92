"""Knows what the models behind Chat Completions and Responses accept, by vendor and name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.dataclasses import dataclass

from ..api import WireError, load_api
from .fields import refuse_value

_API: Final = load_api("openai_chat")

_ALL_EFFORTS: Final = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
_THREE: Final = ("low", "high", "max")
_KIMI_CHOICE: Final = "tool_choice '{mode}' is incompatible with thinking enabled"


@dataclass(frozen=True, slots=True)
class ModelRules:
    """Fields that some models refuse or restrict. The first entry whose pattern matches applies.

    choices: modes of `tool_choice`; a named function counts as "required". thinking: values of
    `thinking.type`; () for a vendor without the field. refused: fields that the model has not.
    choice_error: message for another mode, with room for it.
    """

    models: str
    efforts: tuple[str, ...] = _ALL_EFFORTS
    choices: tuple[str, ...] = ("auto", "none", "required")
    choice_error: str = "Invalid value: '{mode}'. Supported values are: {names}."
    is_choice_free_without_thinking: bool = False
    thinking: tuple[str, ...] = ()
    temperature: float | None = None  # the only value that is accepted
    refused: tuple[str, ...] = ()
    window: int | None = None  # tokens, the answer's included; None: not simulated
    max_output: int | None = None


# Source: developers.openai.com, api/docs/guides/reasoning, "Limitations", and the models' pages.
_NO_SAMPLING: Final = ("top_p", "presence_penalty", "frequency_penalty", "logit_bias")
RULES: Final = (
    # Source: developers.openai.com, api/docs/models/gpt-6.2-astra and gpt-6.2-sol.
    ModelRules(
        r"gpt-6\.2-(astra|sol)",
        _ALL_EFFORTS[2:],
        refused=_NO_SAMPLING,
        window=1_050_000,
        max_output=128_000,
    ),
    ModelRules(
        r"gpt-([6-9]|\d\d)",
        ("none", *_ALL_EFFORTS[2:]),
        refused=_NO_SAMPLING,
        window=1_050_000,
        max_output=128_000,
    ),
    ModelRules(
        r"gpt-5\.[1-9]",
        ("none", *_ALL_EFFORTS[2:6]),
        refused=_NO_SAMPLING,
        window=400_000,
        max_output=128_000,
    ),
    ModelRules(
        r"gpt-5", _ALL_EFFORTS[1:5], refused=_NO_SAMPLING, window=400_000, max_output=128_000
    ),
    ModelRules(
        r"o[1-9]", _ALL_EFFORTS[2:5], refused=_NO_SAMPLING, window=200_000, max_output=100_000
    ),
    # Source: developers.openai.com, api/docs/models/gpt-4o and gpt-4.1.
    ModelRules(r"gpt-4\.1", (), window=1_047_576, max_output=32_768),
    ModelRules(r"(gpt-4o|chatgpt-4o)", (), window=128_000, max_output=16_384),
    # Source: api-docs.deepseek.com, guides/thinking_mode; deepseek-ai/DeepSeek-V3 #1376.
    ModelRules(
        r"deepseek-(v4|flash|pro)",
        _ALL_EFFORTS[2:],
        ("auto", "none"),
        choice_error="Thinking mode does not support this tool_choice",
        is_choice_free_without_thinking=True,
        thinking=("enabled", "disabled"),
        window=1_000_000,  # api-docs.deepseek.com, quick_start/pricing: 1M and 384K
        max_output=384_000,
    ),
    # Source: platform.kimi.com, docs/api/models-overview; can1357/oh-my-pi #827.
    ModelRules(
        r"kimi-k3",
        _THREE,
        ("auto", "none"),
        choice_error=_KIMI_CHOICE,
        thinking=("enabled",),
        temperature=1,
        window=1_048_576,  # its answer may be as long (docs.aihubmix.com, Kimi K3)
        max_output=1_048_576,
    ),
    ModelRules(
        r"kimi-k2\.",
        (),
        ("auto", "none"),
        choice_error=_KIMI_CHOICE,
        thinking=("enabled", "disabled"),
        temperature=1,
    ),
    # Source: docs.bigmodel.cn, cn/api (`tool_choice`: auto only) and cn/guide/models/text/glm-5.3.
    # Its window and output: docs.aws.amazon.com, bedrock model card of GLM 5.3.
    ModelRules(
        r"glm-5\.3(?!-flash)",
        _THREE,
        ("auto",),
        thinking=("enabled",),
        window=1_048_576,
        max_output=131_072,
    ),
    ModelRules(r"glm-", _THREE, ("auto",), thinking=("enabled", "disabled")),
    # Source: platform.minimax.io, docs/api-reference/text-openai-api.
    # The window of M3: github.com/MiniMax-AI/MiniMax-M2.7, issue 46.
    ModelRules(r"MiniMax-M3", (), thinking=("disabled", "adaptive"), window=1_000_000),
    ModelRules(r"MiniMax-", (), thinking=("disabled", "adaptive")),
)


def find_rules(model: str) -> ModelRules | None:
    """Return the rules that a model checks its requests by.

    None for an unknown model, which may accept anything.
    """
    return next((rules for rules in RULES if re.match(rules.models, model)), None)


def check_fields(body: Mapping[str, Any], model: str) -> None:
    """Check the fields that not every model accepts.

    Raises: WireError for the first refused. For both APIs: Responses names some fields differently.
    """
    rules = find_rules(model)
    if rules is None:
        return
    for name in rules.refused:
        if body.get(name) is not None:
            raise _API.refuse("unsupported_parameter", name=name)
    temperature = body.get("temperature")
    if temperature is not None and rules.temperature not in (None, temperature):
        raise _API.refuse("temperature_fixed", only=f"{rules.temperature:g}")
    check_choice(body, rules)
    _check_effort(body, rules)
    for name in ("max_tokens", "max_completion_tokens", "max_output_tokens"):
        if rules.max_output is not None and (body.get(name) or 0) > rules.max_output:
            maximum = rules.max_output
            raise _API.refuse("above_maximum", name=name, value=body[name], maximum=maximum)


def check_choice(body: Mapping[str, Any], rules: ModelRules) -> None:
    """Check `thinking` and `tool_choice` against a model's rules.

    Raises: WireError.
    """
    kind = as_object(body.get("thinking")).get("type")
    if kind is not None and rules.thinking and kind not in rules.thinking:
        raise refuse_value(kind, rules.thinking, "thinking.type")
    if kind == "disabled" and rules.is_choice_free_without_thinking:
        return
    choice = body.get("tool_choice")
    mode = "required" if isinstance(choice, dict) else choice
    if mode is not None and mode not in rules.choices:
        named = "specified" if isinstance(choice, dict) else mode
        names = ", ".join(f"'{each}'" for each in rules.choices)
        raise WireError(400, rules.choice_error.format(mode=named, names=names))


def _check_effort(body: Mapping[str, Any], rules: ModelRules) -> None:
    in_chat, in_responses = body.get("reasoning_effort"), as_object(body.get("reasoning"))
    effort = in_chat or in_responses.get("effort")
    where = "reasoning_effort" if in_chat else "reasoning.effort"
    if effort is None:
        return
    if not rules.efforts:
        raise _API.refuse("unsupported_parameter", name=where)
    if effort not in rules.efforts:
        names = ", ".join(f"'{level}'" for level in rules.efforts)
        raise _API.refuse("effort", where=where, effort=effort, names=names)
