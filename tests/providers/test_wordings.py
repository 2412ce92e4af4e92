"""How servers word that a request does not fit: what is recognised, what is not, which numbers."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import plainloop.agent.providers.http.wordings as wordings
from plainloop.agent.errors import AnswerTooLong, ContextTooLong, ModelError, RateLimited
from plainloop.agent.providers.http.wordings import StatedRoom, judge_fit, read_room
from tests.odd_answers.five_wires import WIRES
from tests.providers.asking import ask
from tests.providers.conversations import connect
from tests.providers.local_server import Reply, run_local

TABLE = tomllib.loads(Path(wordings.__file__).with_name("wordings.toml").read_text("utf-8"))
LITELLM = "litellm.BadRequestError: Context Window exceeded for given call. No models have context"
OPENROUTER = (
    "This endpoint's maximum context length is 204800 tokens. However, you requested about 309977 "
    "tokens (301977 of text input, 8000 in the output). Please reduce the length of either one"
)
SGLANG = (
    "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested"
    " a total of 10346 tokens: 2250 tokens from the input messages and 8096 tokens for the "
    "completion. Please reduce the number of tokens in the input messages or the completion."
)
VLLM_NEW = (
    "'max_tokens' or 'max_completion_tokens' is too large: 8096. This model's maximum context "
    "length is 8192 tokens and your request has 2300 input tokens (8096 > 8192 - 2300). None"
)
VLLM_AT_LEAST = (
    "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens "
    "and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens."
)
VLLM_PASSED = (
    "You passed 8193 input tokens and requested 512 output tokens. However, the model's context "
    "length is only 8192 tokens, resulting in a maximum input length of 7680 tokens."
)
AZURE = (
    "This model's maximum context length is 8192 tokens. However, you requested 8200 tokens (60 in "
    "the messages, 44 in the functions, and 8096 in the completion). Please reduce the length"
)
LM_STUDIO = (
    "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded "
    "with context length of only 4096 tokens, which is not enough."
)
DECODER = (
    "The decoder prompt (length 9000) is longer than the maximum model length of 8192. Make sure "
    "that `max_model_len` is no smaller than the number of text tokens."
)
VERTEX = (
    "Unable to submit request because the input token count is 50000 but model only supports up to "
    "32767. Reduce the input token count and try again."
)
NOVA = "Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update it."
# Every wording with what it says: window, prompt, total.
OVERFLOWS: list[tuple[str, tuple[int | None, ...]]] = [
    ("prompt is too long: 213462 tokens > 200000 maximum", (200000, 213462, None)),
    (
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease",
        (200000, 190000, None),
    ),
    ("Your input exceeds the context window of this model. Adjust your input.", (None,) * 3),
    (AZURE, (8192, 104, 8200)),
    (
        "This model's maximum context length is 8192 tokens. However, your messages resulted in "
        "9000 tokens. Please reduce the length of the messages.",
        (8192, 9000, None),
    ),
    (
        "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in "
        "477469 tokens. Please reduce the length of the messages.",
        (272000, 477469, None),
    ),
    (
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
        (8192, None, 9000),
    ),
    (VLLM_NEW, (8192, 2300, None)),
    (VLLM_AT_LEAST, (262144, 262145, 262145)),
    (VLLM_PASSED, (8192, 8193, None)),
    (DECODER, (None, 9000, None)),
    ("max_tokens must be at least 1, got -120.", (None,) * 3),
    (SGLANG, (8192, 2250, 10346)),
    (
        "The input (210000 tokens) is longer than the model's context length (200000 tokens).",
        (200000, 210000, None),
    ),
    (
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8192. Given: 904 "
        "`inputs` tokens and 8096 `max_new_tokens`",
        (8192, 904, None),
    ),
    ("`inputs` must have less than 4096 tokens. Given: 5000", (None,) * 3),
    ("the request exceeds the available context size. try increasing the context", (None,) * 3),
    (
        "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
        (8192, 9000, None),
    ),
    ("Context size has been exceeded.", (None,) * 3),
    ("Requested tokens (9000) exceed context window of 8192", (8192, 9000, None)),
    (LM_STUDIO, (4096, 9000, None)),
    (
        "The number of tokens to keep from the initial prompt is greater than the context length. "
        "(n_keep: 9000>= n_ctx: 8192)",
        (8192, 9000, None),
    ),
    ("the input length exceeds the context length", (None,) * 3),
    ("prompt too long; exceeded max context length by 4 tokens", (None,) * 3),
    ("input is too large to process. increase the physical batch size", (None,) * 3),
    ("Input is too long for requested model.", (None,) * 3),
    ("Too many input tokens. Max input tokens: 8192, request input token count: 8198", (None,) * 3),
    (NOVA, (None,) * 3),
    (
        "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
        (1048575, 1196265, None),
    ),
    (VERTEX, (None, 50000, None)),
    ("Please reduce the length of the messages or completion.", (None,) * 3),
    (
        "Please reduce the length of the messages or completion. Current length is 9000 while "
        "limit is 8192",
        (8192, 9000, None),
    ),
    (OPENROUTER, (204800, 301977, 309977)),
    ("Input length 131393 exceeds the maximum allowed input length of 131040 tokens.", ()),
    ("Input length (265330) exceeds model's maximum context length (262144).", ()),
    ("Your request exceeded model token limit: 262144 (requested: 269030)", (262144, None, 269030)),
    ("invalid params, context window exceeds limit (2013)", (None,) * 3),
    ("Prompt 超长", (None,) * 3),
    ("输入长度超过模型最大上下文长度", (None,) * 3),
    ("InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]", ()),
    ("This model's maximum prompt length is 131072 but the request contains 537812 tokens.", ()),
    (
        "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum "
        "context length",
        (32768, 40000, None),
    ),
    ("prompt token count of 70000 exceeds the limit of 64000", (64000, 70000, None)),
    (
        "Prompt has 32,769 tokens, but the configured context size is 32,768 tokens",
        (32768, 32769, None),
    ),
    ("The prompt is too long: 221782, model maximum context length: 202752", ()),
    (
        "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5204",
        (),
    ),
    ("the number of input tokens 9000 cannot exceed the total tokens limit 8192", ()),
    ("Request body too large for gpt-4o model. Max size: 8000 tokens.", (None,) * 3),
    ("max tokens of 8192 exceeded", (None,) * 3),
    ("token limit exceeded", (None,) * 3),
    ("The prompt exceeds the maximum allowed token count", (None,) * 3),
    ("Model context window is 128k tokens, you requested 256k tokens", ()),
    ("the message exceeds the 64256-token context window", (64256, None, None)),
    (LITELLM, (None,) * 3),
    ("litellm.ContextWindowExceededError: m", (None,) * 3),
    ("sequence length is longer than the maximum sequence length of the model (9000 > 8192)", ()),
    ("total tokens 9000 > 8192 max_seq_len", (8192, 9000, None)),
    # A sum of prompt and answer is never the answer alone.
    ("The total number of tokens (prompt + max_new_tokens) 9000 exceeds the maximum of 8192", ()),
    ("tokens in prompt + max_tokens exceeds the model's limit", (None,) * 3),
    ("messages plus max_tokens is too large for this model", (None,) * 3),
    ("This model only supports up to 32768 tokens in the prompt", ()),
    ("context shift is disabled", (None,) * 3),
    ("Total tokens of image and text exceed max message tokens", (None,) * 3),
    ("The conversation is too long, please start a new one", (None,) * 3),
    (
        "Invalid 'messages[1].content': string too long. Expected a string with maximum length "
        "1048576, but got a string with length 1540820 instead.",
        (None,) * 3,
    ),
    # A limit by the minute that one request is above: waiting does not help.
    (
        "Request too large for model `llama` in organization `o` on tokens per minute (TPM): "
        "Limit 6000, Requested 9000, please reduce your message size and try again.",
        (6000, None, 9000),
    ),
]
ANSWERS = [
    ("max_tokens is too large: 32768. This model supports at most 16384 completion tokens", 16384),
    ("max_tokens: 65536 > 8192, which is the maximum allowed number of output tokens for m", 8192),
    ("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", 8192),
    ("<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 8192]", 8192),
    (
        "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is "
        "less than the `context_window` for this model",
        8192,
    ),
    ("too many tokens: max tokens must be less than or equal to 4096, the maximum output", 4096),
    (
        "Unable to submit request because it has a maxOutputTokens value of 65536 but the "
        "supported range is from 1 (inclusive) to 8193 (exclusive). Update the value.",
        8192,
    ),
    ("The maximum tokens you requested exceeds the model limit of 4096. Try again", 4096),
    ("Invalid max_output_tokens: must be <= 32,768", 32768),
    ("max_completion_tokens is limited for this model", None),
]
OTHERS = [
    "Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, "
    "Used 25000, Requested 8000. Please try again in 6s.",
    "Throttling error: Too many tokens, please wait before trying again.",
    "Too many tokens per day, please wait before trying again.",
    "Rate limit exceeded, please retry after 30 seconds.",
    "This request would exceed your organization's rate limit of 30,000 input tokens per minute",
    "You exceeded your current quota. Quota exceeded for metric: "
    "generate_content_free_tier_input_token_count, limit: 250000",
    "Number of request tokens has exceeded your per-minute rate limit",
    "request reached organization TPD rate limit, current: 1506556, limit: 1500000",
    "Requests to the API have exceeded token rate limit. Please retry after 4 seconds.",
    "tokens per minute limit exceeded",
    "Your account has exceeded its monthly token limit",
    "Daily token limit exceeded",
    "您的账户已达到速率限制，请求频率过高",
    "invalid token: token length exceeded",
    "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880",
    "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64",
    "Invalid 'messages[1].tool_calls[0].id': string too long. Expected maximum length 40",
    "temperature must be less than or equal to 2",
    "max_tokens is required",
    "context deadline exceeded",
    "messages: at least one message is required",
]


@pytest.mark.parametrize("form", [*TABLE["overflow"], *TABLE["answer"]], ids=lambda f: f["of"][0])
def test_every_overflow_pattern_matches_its_example(form: dict[str, Any]) -> None:
    assert form["of"]
    assert re.search(form["says"], form["example"], re.IGNORECASE | re.DOTALL)


def test_sixty_reported_overflow_texts_are_recognised() -> None:
    assert len({message for message, _ in OVERFLOWS}) >= 39
    unknown = [message for message, _ in OVERFLOWS if judge_fit(message, 400) != "context"]
    assert unknown == []
    for message, numbers in OVERFLOWS:
        stated = read_room(message, "context")
        if numbers:
            assert (stated.window, stated.prompt, stated.total) == numbers, message


@pytest.mark.parametrize(("message", "most"), ANSWERS)
def test_answer_length_limits_are_distinguished_from_overflows(
    message: str, most: int | None
) -> None:
    assert judge_fit(message, 400) == "answer"
    assert read_room(message, "answer") == StatedRoom(max_answer=most)


@pytest.mark.parametrize("message", OTHERS)
@pytest.mark.parametrize("status", [400, 429])
def test_rate_quota_and_field_errors_are_not_treated_as_overflows(
    message: str, status: int
) -> None:
    assert judge_fit(message, status) is None


@pytest.mark.parametrize("wire", WIRES)
async def test_every_provider_distinguishes_overflows_from_rate_limits(wire: str) -> None:
    async def fail(message: str, status: int) -> ModelError:
        body = {"error": {"message": message, "type": "invalid_request_error", "code": status}}
        reply = Reply(json.dumps(body).encode(), status)
        async with run_local(reply) as local:
            with pytest.raises(ModelError) as caught:
                await ask(connect(wire, local.url), stream=True)
        return caught.value

    long = await fail(SGLANG, 400)
    assert type(long) is ContextTooLong
    assert long.stated.leave(0) == 8192 - 2250
    wide = await fail(ANSWERS[0][0], 400)
    assert isinstance(wide, AnswerTooLong)
    assert wide.stated == StatedRoom(max_answer=16384)
    assert type(await fail(OTHERS[0], 429)) is RateLimited


async def test_token_counts_outside_the_error_message_are_read() -> None:
    """llama.cpp states them as fields of the error."""
    error = {"message": "the request exceeds the available context size", "n_ctx": 8192}
    error |= {"type": "exceed_context_size_error", "n_prompt_tokens": 2300, "code": 400}
    async with run_local(Reply(json.dumps({"error": error}).encode(), 400)) as local:
        with pytest.raises(ContextTooLong) as caught:
            await ask(connect("compatible", local.url), stream=True)
    assert caught.value.stated == StatedRoom(window=8192, prompt=2300)
