"""Other people's clients for structured output, unmodified: each asks for one person."""

# pyright: basic, reportMissingImports=false, reportReturnType=false, reportArgumentType=false

from __future__ import annotations

import json
import sys

import openai
from pydantic import BaseModel


class Person(BaseModel):
    name: str
    age: int


SAID = [{"role": "system", "content": "Extract."}, {"role": "user", "content": "Ann is 41."}]


def ask_openai(client: openai.OpenAI, model: str, mode: str) -> Person:
    if mode == "responses":
        told = client.responses.parse(
            model=model, instructions="Extract.", input="Ann is 41.", text_format=Person
        )
        return told.output_parsed
    said = client.chat.completions.parse(model=model, messages=SAID, response_format=Person)
    return said.choices[0].message.parsed


def ask_instructor(client: openai.OpenAI, model: str, mode: str) -> Person:
    import instructor

    asking = instructor.from_openai(client, mode=instructor.Mode[mode])
    return asking.chat.completions.create(model=model, response_model=Person, messages=SAID)


def ask_pydantic_ai(client: openai.OpenAI, model: str, mode: str) -> Person:
    from pydantic_ai import Agent, NativeOutput, PromptedOutput, ToolOutput
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    kind = {"tool": ToolOutput, "native": NativeOutput, "prompted": PromptedOutput}[mode]
    provider = OpenAIProvider(base_url=str(client.base_url), api_key=client.api_key)
    named = OpenAIChatModel(model, provider=provider)
    return Agent(named, system_prompt="Extract.", output_type=kind(Person)).run_sync("Ann.").output


def ask_langchain(client: openai.OpenAI, model: str, mode: str) -> Person:
    from langchain_openai import ChatOpenAI

    chat = ChatOpenAI(
        model=model, base_url=str(client.base_url), api_key=client.api_key, max_retries=0
    )
    return chat.with_structured_output(Person, method=mode).invoke("Ann is 41, as JSON.")


def ask_dspy(client: openai.OpenAI, model: str, mode: str) -> Person:
    import dspy

    named = f"openai/{model}"
    asked = dspy.LM(named, api_base=str(client.base_url), api_key=client.api_key, cache=False)
    dspy.configure(lm=asked, adapter=dspy.JSONAdapter())
    given = dspy.Predict("text -> name: str, age: int")(text="Ann is 41.")
    return Person(name=given.name, age=given.age)


def main(kind: str, mode: str, url: str, token: str, model: str) -> None:
    client = openai.OpenAI(base_url=f"{url}/v1", api_key=token, max_retries=0)
    print(json.dumps(globals()[f"ask_{kind}"](client, model, mode).model_dump()))


main(*sys.argv[1:])
