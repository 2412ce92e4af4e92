"""openai-agents, unmodified: a streamed run of an agent with a tool of its own on each of OpenAI's
APIs, told as JSON.
"""

# pyright: basic

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import openai
from agents import (  # type: ignore[import-not-found]
    Agent,
    ModelSettings,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)

MODELS = {"chat": OpenAIChatCompletionsModel, "responses": OpenAIResponsesModel}


@function_tool
def get_place() -> str:
    """Where the user is."""
    return "Oslo"


async def ask(kind: str, client: openai.AsyncOpenAI, name: str) -> dict[str, Any]:
    model = MODELS[kind](model=name, openai_client=client)
    settings = ModelSettings(include_usage=True)
    agent = Agent("visitor", model=model, tools=[get_place], model_settings=settings)
    running = Runner.run_streamed(agent, "where am I?")
    deltas: list[str] = []
    async for event in running.stream_events():
        data: Any = getattr(event, "data", None)
        if getattr(data, "type", "") == "response.output_text.delta":
            deltas.append(data.delta)
    usage = running.context_wrapper.usage
    return {"output": running.final_output, "shown": "".join(deltas), "tokens": usage.total_tokens}


async def main(url: str, token: str, name: str) -> None:
    set_tracing_disabled(True)
    client = openai.AsyncOpenAI(base_url=f"{url}/v1", api_key=token, max_retries=0)
    print(json.dumps([await ask(kind, client, name) for kind in MODELS]))


asyncio.run(main(*sys.argv[1:]))
