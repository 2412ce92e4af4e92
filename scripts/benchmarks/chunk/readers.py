"""Both readers of each stream: our provider, and the loop that the SDK's documentation shows.

Ollama's own package is no dependency of ours; its loop is what that package does at least:
lines of an HTTP client, each through `json.loads`.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import httpx2
from anthropic import AsyncAnthropic
from google import genai
from google.genai import types
from openai import AsyncOpenAI

from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import ChatProvider, ChatRequest, LLMResponse

QUESTION: Final = "Where does the fleet sail?"
Reader = Callable[[], Awaitable[str]]  # reads one whole stream; gives its text


def make_our_readers(url: str) -> dict[str, Reader]:
    def make(provider: str, base: str, model: str = "m", protocol: str | None = None) -> Reader:
        chat = create_provider(provider, "bench", model, base, protocol=protocol)
        return lambda: read_ours(chat)

    return {
        "anthropic": make("anthropic", url),
        "openai chat": make("openai", f"{url}/v1", protocol="openai_chat"),
        "openai responses": make("openai", f"{url}/v1", protocol="openai_responses"),
        "gemini": make("gemini", url),
        "ollama": make("ollama", url),
    }


async def read_ours(chat: ChatProvider) -> str:
    request = ChatRequest(
        system="Answer.",
        messages=[{"role": "user", "parts": [{"type": "text", "text": QUESTION}]}],
        max_tokens=4096,
    )
    pieces: list[str] = []
    async for item in chat.generate_stream(request):
        if not isinstance(item, LLMResponse):
            pieces.append(item.text)
    return "".join(pieces)


def make_sdk_readers(url: str) -> Mapping[str, Reader]:
    """One client per SDK, as a program that lives longer has it."""
    anthropic = AsyncAnthropic(api_key="bench", base_url=url, max_retries=0)
    openai = AsyncOpenAI(api_key="bench", base_url=f"{url}/v1", max_retries=0)
    options = types.HttpOptions(base_url=url, api_version="v1beta")
    gemini = genai.Client(api_key="bench", vertexai=False, http_options=options)
    http = httpx2.AsyncClient(base_url=url, timeout=60)
    return {
        "anthropic": lambda: read_anthropic(anthropic),
        "openai chat": lambda: read_openai_chat(openai),
        "openai responses": lambda: read_openai_responses(openai),
        "gemini": lambda: read_gemini(gemini),
        "ollama": lambda: read_ollama(http),
    }


async def read_anthropic(client: AsyncAnthropic) -> str:
    pieces: list[str] = []
    messages: Any = [{"role": "user", "content": QUESTION}]
    async with client.messages.stream(model="m", max_tokens=4096, messages=messages) as stream:
        async for text in stream.text_stream:
            pieces.append(text)
        await stream.get_final_message()
    return "".join(pieces)


async def read_openai_chat(client: AsyncOpenAI) -> str:
    pieces: list[str] = []
    messages: Any = [{"role": "user", "content": QUESTION}]
    stream = await client.chat.completions.create(
        model="m", messages=messages, stream=True, stream_options={"include_usage": True}
    )
    async for chunk in stream:
        if chunk.choices and chunk.choices[0].delta.content:
            pieces.append(chunk.choices[0].delta.content)
    return "".join(pieces)


async def read_openai_responses(client: AsyncOpenAI) -> str:
    pieces: list[str] = []
    stream = await client.responses.create(model="m", input=QUESTION, stream=True)
    async for event in stream:
        if event.type == "response.output_text.delta":
            pieces.append(event.delta)
    return "".join(pieces)


async def read_gemini(client: genai.Client) -> str:
    pieces: list[str] = []
    stream = await client.aio.models.generate_content_stream(model="m", contents=QUESTION)
    async for chunk in stream:
        pieces.append(chunk.text or "")
    return "".join(pieces)


async def read_ollama(http: httpx2.AsyncClient) -> str:
    pieces: list[str] = []
    body = {"model": "m", "messages": [{"role": "user", "content": QUESTION}], "stream": True}
    async with http.stream("POST", "/api/chat", json=body) as response:
        async for line in response.aiter_lines():
            pieces.append(json.loads(line)["message"]["content"])
    return "".join(pieces)
