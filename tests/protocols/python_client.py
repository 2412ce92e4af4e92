"""Other people's Python clients, unmodified: `python_client.py CLIENT URL TOKEN MODEL FOLDER` does
what the client is for, each of its ways, and prints {way: what came of it} as JSON.
"""

# pyright: basic, reportMissingImports=false, reportReturnType=false, reportArgumentType=false
# pyright: reportOptionalMemberAccess=false

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openai
from pydantic import BaseModel


class Person(BaseModel):
    name: str
    age: int


@dataclass
class Server:
    """What a client is told: an address, a key, a model."""

    url: str
    key: str
    model: str
    folder: Path

    @property
    def base(self) -> str:
        return f"{self.url}/v1"

    def connect(self) -> openai.OpenAI:
        return openai.OpenAI(base_url=self.base, api_key=self.key, max_retries=0)


TEXT = "Ann is 41."
SAID = [{"role": "system", "content": "Extract."}, {"role": "user", "content": TEXT}]


def ask_openai(server: Server) -> dict[str, Any]:
    client, model = server.connect(), server.model
    chat = client.chat.completions.parse(model=model, messages=SAID, response_format=Person)
    told = client.responses.parse(
        model=model, instructions="Extract.", input=TEXT, text_format=Person
    )
    with client.chat.completions.stream(
        model=model, messages=SAID, response_format=Person
    ) as chunks:
        streamed = chunks.get_final_completion()
    return {
        "chat": chat.choices[0].message.parsed.model_dump(),
        "responses": told.output_parsed.model_dump(),
        "streamed": streamed.choices[0].message.parsed.model_dump(),
    }


def ask_instructor(server: Server) -> dict[str, Any]:
    import instructor

    found = {}
    for mode in ("TOOLS", "JSON", "JSON_SCHEMA"):
        client = instructor.from_openai(server.connect(), mode=instructor.Mode[mode])
        wanted = {"model": server.model, "response_model": Person, "messages": SAID}
        found[mode] = client.chat.completions.create(**wanted).model_dump()
        *_, last = client.chat.completions.create_partial(**wanted)
        found[f"{mode} streamed"] = last.model_dump()
    return found


def ask_pydantic_ai(server: Server) -> dict[str, Any]:
    from pydantic_ai import Agent, NativeOutput, PromptedOutput, ToolOutput
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(base_url=server.base, api_key=server.key)
    model = OpenAIChatModel(server.model, provider=provider)

    async def stream(agent: Agent) -> Person:
        async with agent.run_stream(TEXT) as running:
            return await running.get_output()

    found = {}
    for kind in (ToolOutput, NativeOutput, PromptedOutput):
        agent = Agent(model, system_prompt="Extract.", output_type=kind(Person))
        found[kind.__name__] = agent.run_sync(TEXT).output.model_dump()
        found[f"{kind.__name__} streamed"] = asyncio.run(stream(agent)).model_dump()
    return found


def ask_langchain(server: Server) -> dict[str, Any]:
    from langchain.agents import create_agent
    from langchain.agents.structured_output import ProviderStrategy, ToolStrategy
    from langchain_openai import ChatOpenAI

    def get_place() -> str:
        """Where the user is."""
        return "Oslo"

    chat = ChatOpenAI(model=server.model, base_url=server.base, api_key=server.key, max_retries=0)
    asked = f"{TEXT} As JSON."
    found = {}
    for method in ("json_schema", "function_calling", "json_mode"):
        shaped = chat.with_structured_output(Person, method=method)
        found[method] = shaped.invoke(asked).model_dump()
        *_, last = shaped.stream(asked)
        found[f"{method} streamed"] = last.model_dump()
    for strategy in (ProviderStrategy, ToolStrategy):
        agent = create_agent(chat, tools=[get_place], response_format=strategy(Person))
        state = agent.invoke({"messages": [{"role": "user", "content": f"where? {asked}"}]})
        found[strategy.__name__] = state["structured_response"].model_dump()
        kinds = [item.type for item in state["messages"]]
        found[f"{strategy.__name__} kinds"] = kinds[:4]
    return found


def ask_dspy(server: Server) -> dict[str, Any]:
    import dspy

    named = dspy.LM(f"openai/{server.model}", api_base=server.base, api_key=server.key, cache=False)
    found = {}
    for adapter in (dspy.ChatAdapter, dspy.JSONAdapter):
        dspy.configure(lm=named, adapter=adapter())
        given = dspy.Predict("text -> name: str, age: int")(text=TEXT)
        found[adapter.__name__] = {"name": given.name, "age": given.age}
    return found


def ask_smolagents(server: Server) -> dict[str, Any]:
    from smolagents import OpenAIServerModel, ToolCallingAgent, tool

    @tool
    def get_place() -> str:
        """Where the user is."""
        return "Oslo"

    model = OpenAIServerModel(model_id=server.model, api_base=server.base, api_key=server.key)
    found = {}
    for is_streamed in (False, True):
        agent = ToolCallingAgent(
            tools=[get_place], model=model, stream_outputs=is_streamed, verbosity_level=0
        )
        found["streamed" if is_streamed else "whole"] = agent.run("where am I?")
    return found


def ask_crewai(server: Server) -> dict[str, Any]:
    from crewai import LLM, Agent, Crew, Task
    from crewai.tools import tool

    @tool
    def get_place() -> str:
        """Where the user is."""
        return "Oslo"

    found = {}
    for is_streamed in (False, True):
        named = LLM(
            model=f"openai/{server.model}",
            base_url=server.base,
            api_key=server.key,
            stream=is_streamed,
        )
        agent = Agent(
            role="visitor", goal="know the place", backstory="-", llm=named, tools=[get_place]
        )
        task = Task(description="where am I?", expected_output="a place", agent=agent)
        done = Crew(agents=[agent], tasks=[task]).kickoff()
        found["streamed" if is_streamed else "whole"] = done.raw
    return found


def ask_llm(server: Server) -> dict[str, Any]:
    """The command, with a system text and with a schema."""
    named = {"model_id": "ours", "model_name": server.model, "api_base": server.base}
    flags = {"api_key_name": "ours", "supports_schema": True}
    (server.folder / "extra-openai-models.yaml").write_text(json.dumps([{**named, **flags}]))
    environ = {**os.environ, "LLM_USER_PATH": str(server.folder), "LLM_LOAD_PLUGINS": ""}

    def run(*asked: str) -> str:
        command = (sys.executable, "-m", "llm", "prompt", "-m", "ours", "--key", server.key)
        done = subprocess.run(
            [*command, *asked], env=environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout.strip()

    return {
        "whole": run("-s", "Be brief.", "--no-stream", "where am I?"),
        "streamed": run("-s", "Be brief.", "where am I?"),
        "schema": json.loads(run("--schema", "name, age int", TEXT)),
    }


def ask_llm_anthropic(server: Server) -> dict[str, Any]:
    """The command with its plug-in for the Messages API, as for a model of Anthropic's."""
    plug = server.folder / "plug.py"
    plug.write_text(
        "import sys, llm, llm_anthropic\n"
        "from llm.cli import cli\n"
        "from llm.plugins import pm\n"
        "@llm.hookimpl\n"
        "def register_models(register):\n"
        f"    more = dict(base_url={server.url + '/anthropic'!r}, use_structured_outputs=True)\n"
        f"    register(llm_anthropic.ClaudeMessages('ours', {server.model!r}, **more))\n"
        "pm.register(sys.modules[__name__])\n"
        "cli()\n"
    )
    own = {"LLM_USER_PATH": str(server.folder)}

    def run(*asked: str) -> str:
        command = (sys.executable, str(plug), "prompt", "-m", "anthropic/ours", "--key", server.key)
        more = {"env": {**os.environ, **own}, "capture_output": True, "text": True}
        done = subprocess.run([*command, "-o", "temperature", "0.5", *asked], **more, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout.strip()

    return {
        "whole": run("-s", "Be brief.", "--no-stream", "where am I?"),
        "streamed": run("-s", "Be brief.", "where am I?"),
        "schema": json.loads(run("--schema", "name, age int", TEXT)),
    }


def ask_llama_index(server: Server) -> dict[str, Any]:
    from llama_index.core.agent.workflow import FunctionAgent
    from llama_index.llms.openai_like import OpenAILike

    def get_place() -> str:
        """Where the user is."""
        return "Oslo"

    named = {"model": server.model, "api_base": server.base, "api_key": server.key}
    model = OpenAILike(**named, is_chat_model=True, is_function_calling_model=True, max_retries=0)
    agent = FunctionAgent(tools=[get_place], llm=model, system_prompt="Be brief.", streaming=True)

    async def run() -> str:
        return str(await agent.run("where am I?"))

    return {
        "complete": str(model.complete("where am I?")),
        "streamed": [str(part) for part in model.stream_complete("where am I?")][-1],
        "shaped": model.as_structured_llm(Person).complete(TEXT).raw.model_dump(),
        "agent": asyncio.run(run()),
    }


def ask_mirascope(server: Server) -> dict[str, Any]:
    from mirascope import llm

    llm.register_provider(
        "openai:completions", scope="ours/", base_url=server.base, api_key=server.key
    )
    model = llm.Model(f"ours/{server.model}", temperature=0.2, max_tokens=200, seed=1)

    @llm.tool
    def get_place() -> str:
        """Where the user is."""
        return "Oslo"

    with model:
        whole = llm.call(model)(lambda: "where am I?")()
        shaped = llm.call(model, format=Person)(lambda: TEXT)()
        asked = llm.call(model, tools=[get_place])(lambda: "where am I?")()
        last = asked.resume(asked.execute_tools()) if asked.tool_calls else asked
    return {"whole": whole.text(), "shaped": shaped.parse().model_dump(), "tool": last.text()}


def ask_deepeval(server: Server) -> dict[str, Any]:
    from deepeval.models import LocalModel

    named = {"model": server.model, "base_url": server.base, "api_key": server.key}
    model = LocalModel(**named, temperature=0)
    shaped, _ = model.generate(f"{TEXT} As JSON.", schema=Person)
    return {"shaped": shaped.model_dump(), "whole": model.generate("where am I?")[0]}


def ask_inspect(server: Server) -> dict[str, Any]:
    """Six epochs of equal samples, all at once."""
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import match
    from inspect_ai.solver import generate

    samples = [Sample(input=f"where am I? ({n})", target="Oslo") for n in range(3)]
    task = Task(dataset=samples, solver=generate(), scorer=match(location="any"))
    [log] = eval(
        task,
        model=f"openai/{server.model}",
        model_base_url=server.base,
        model_args={"api_key": server.key},
        epochs=6,
        log_dir=str(server.folder),
        display="none",
    )
    assert log.status == "success", log.error
    [score] = log.results.scores
    return {"accuracy": score.metrics["accuracy"].value, "samples": len(log.samples)}


def ask_aider(server: Server) -> dict[str, Any]:
    """The command edits a file, streamed and not."""
    found = {}
    for way in ("--no-stream", "--stream"):
        path = server.folder / "place.txt"
        path.write_text("unknown\n")
        keys = ("--openai-api-base", server.base, "--openai-api-key", server.key)
        quiet = ("--no-git", "--yes-always", "--no-check-update", "--no-analytics", "--no-pretty")
        more = ("--no-show-model-warnings", "--map-tokens", "0", "--edit-format", "whole", way)
        model = ("--model", f"openai/{server.model}", "--weak-model", f"openai/{server.model}")
        done = subprocess.run(
            [
                *(sys.executable, "-m", "aider", *keys, *model, *quiet, *more),
                *("--message", "where am I? write it down", path.name),
            ],
            cwd=server.folder,
            env={**os.environ, "HOME": str(server.folder)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
        found[way] = path.read_text().strip()
        if found[way] != "Oslo":
            found["told"] = (done.stdout + done.stderr)[-3000:]
    return found


def main(client: str, url: str, key: str, model: str, folder: str) -> None:
    found = globals()[f"ask_{client}"](Server(url, key, model, Path(folder)))
    print(f"\n{json.dumps(found)}")


main(*sys.argv[1:])
