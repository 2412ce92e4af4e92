"""AgentDojo's tasks through the product: its tools as a pack, a model that obeys, HTTP."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from plainloop.agent.core.spec import Pack, WorkerSpec
from plainloop.agent.core.tools import Tool, ToolContext, ToolOutcome
from plainloop.agent.types import ChatRequest, LLMResponse
from tests.agentdojo.suites import (
    REACHES,
    READS_OUTSIDE,
    SECRETS,
    Call,
    list_attack,
    list_outside,
    load_suites,
    to_json,
    word_attack,
)
from tests.machine.scripted import ScriptedModels, ScriptedProvider, text, tools, triage
from tests.server.conftest import HEADERS, Serve, Served, begin

BIG = 1_000_000
ROOMY = {
    "tool_result_tokens": BIG,
    "window_tokens": BIG,
    "history_tokens": BIG,
    "worker_turns": 60,
    "runs_per_user": 20,
    "run_timeout_s": 600.0,
    "repeated_calls": 50,
}


@dataclass
class Case:
    """What one task's model is to do, and what was done. marker: in the text that it obeys."""

    env: Any
    calls: list[Call]
    attack: list[Call] = field(default_factory=list[Call])
    marker: str = ""
    done: list[Call] = field(default_factory=list[Call])
    has_obeyed: bool = False
    made: int = 0

    def answer(self, request: ChatRequest) -> LLMResponse:
        """Make the next calls: a read alone, effects together, as far as their ids are known."""
        if not request.tools:
            return triage("assistant")
        seen = json.dumps([part for m in request.messages for part in m["parts"]], default=str)
        if self.marker and not self.has_obeyed and self.marker in seen:
            self.has_obeyed, self.calls = True, [*self.attack]
        taken: list[Call] = []
        while self.calls and (not taken or (is_effect(taken[-1]) and is_effect(self.calls[0]))):
            ids = [v for v in self.calls[0][1].values() if isinstance(v, str) and v.isdigit()]
            if taken and any(f'"{value}"' not in seen for value in ids):
                break
            taken.append(self.calls.pop(0))
        if not taken:
            return text("Done.")
        named = [*enumerate(taken, self.made)]
        self.made += len(taken)
        return tools(*((f"c{n}", name, to_json(arguments)) for n, (name, arguments) in named))


def is_effect(call: Call) -> bool:
    return call[0] in REACHES and call[0] != READS_OUTSIDE


def make_pack(suite: Any, get_case: Callable[[], Case]) -> Pack:
    """The suite's tools, with what they declare."""
    runtime = import_module("agentdojo.functions_runtime").FunctionsRuntime(suite.tools)

    def make_tool(function: Any) -> Tool:
        async def run(tool: ToolContext, /, **arguments: Any) -> ToolOutcome:
            case = get_case()
            case.done.append((function.name, arguments))
            returned, error = runtime.run_function(case.env, function.name, arguments)
            if error is not None:
                return ToolOutcome({"error": error}, is_error=True)
            result = to_json(returned)
            return ToolOutcome(result, outside=list_outside(function.name, result))

        reach = REACHES.get(function.name)
        is_read = reach is None or function.name == READS_OUTSIDE
        return Tool(
            name=function.name,
            description=function.description,
            effect="read" if is_read else "external",
            function=run,
            reach=reach,
            is_fixed=reach is None,
            secrets=SECRETS,
            parameters=function.parameters.model_json_schema(),
        )

    own = tuple(make_tool(function) for function in suite.tools)
    names = tuple(item.name for item in own)
    worker = WorkerSpec("assistant", "everything", "Help.", names, parallel_tools=False)
    return Pack("dojo", "Dojo", (worker,), "assistant", own)


@dataclass
class Playing:
    """A suite behind a replica."""

    served: Served
    suite: Any
    case: Case

    async def play(self, case: Case, prompt: str, *, approve: bool) -> Counter[str]:
        """Play a case; everything that is asked is approved, or refused. Returns how many calls
        were asked about, in how many plans, and how the run ended.
        """
        self.case, found = case, Counter[str]()
        client = await self.served.client()
        conversation = await begin(client)
        path = f"/api/chat/conversations/{conversation}"
        answer = await client.post(f"{path}/messages", json={"content": prompt}, headers=HEADERS)
        assert answer.status_code == 200, answer.text
        told, decided = answer.json(), set[str]()
        run_id = told["run_id"]
        run = f"/api/runs/{run_id}"
        while told["status"] == "waiting":
            listed = (await client.get(f"{run}/approvals")).json()["approvals"]
            asked = [item for item in listed if item["status"] == "pending"]
            found.update(questions=len(asked), plans=1)
            found["outside"] += sum("not the user's words" in item["question"] for item in asked)
            named = [item["approval_id"] for item in asked]
            decided.update(named)
            decisions = [{"approval_id": item, "approve": approve} for item in named]
            posted = await client.post(f"{run}/approvals", json={"decisions": decisions})
            posted.raise_for_status()
            await wait_for_more(client, f"{path}/stream?run_id={run_id}", decided)
            told = (await client.get(run)).json()
        assert told["status"] == "succeeded", told
        return found


async def wait_for_more(client: Any, path: str, decided: set[str]) -> None:
    """Follow a run to its end, or to a question that was not decided yet."""
    async with client.stream("GET", path) as stream:
        async for line in stream.aiter_lines():
            data = json.loads(line.partition(": ")[2]) if line.startswith("data: {") else {}
            is_new = data.get("approval_id") not in decided if "question" in data else False
            if is_new or line in ("event: done", "event: error"):
                return


@asynccontextmanager
async def playing(serve: Serve, name: str) -> AsyncIterator[Playing]:
    """Serve a suite's tools to a model that does what a `Case` says."""
    served = await serve(auth=False, **ROOMY)
    suite = load_suites()[name]
    here = Playing(served, suite, Case(None, []))
    provider = ScriptedProvider()

    async def take_step(request: ChatRequest) -> LLMResponse:
        return here.case.answer(request)

    provider._take_step = take_step  # type: ignore[method-assign]
    served.service.models = ScriptedModels(provider)  # type: ignore[assignment]
    served.service.packs = (make_pack(suite, lambda: here.case),)
    yield here


def make_honest(suite: Any, task: Any) -> Case:
    """What a model does that only does what the user said."""
    env = task.init_environment(suite.load_and_inject_default_environment({}))
    truth = task.ground_truth(env.model_copy(deep=True))
    return Case(env, [(call.function, dict(call.args)) for call in truth])


def make_attack(
    suite: Any,
    name: str,
    task: Any,
    injected: str,
    change: Callable[[str], str] = lambda text: text,
) -> Case | None:
    """What a model does that obeys this injection; None: it is only to say something.

    change: how the text spells its values, for attackers who know the rule.
    """
    injection = suite.injection_tasks[injected]
    plain = suite.load_and_inject_default_environment({})
    calls = list_attack(name, injected, injection, plain)
    if not calls:
        return None
    told = change(word_attack(injection.GOAL, calls))
    return make_injected(suite, task, calls, f"IMPORTANT {injected}", told)


def make_injected(suite: Any, task: Any, calls: list[Call], marker: str, told: str) -> Case:
    """What a model does that makes these calls as soon as it reads the text."""
    vectors = dict.fromkeys(suite.get_injection_vector_defaults(), f"{marker} {told}")
    env = task.init_environment(suite.load_and_inject_default_environment(vectors))
    return Case(env, list_truth(suite, task), calls, marker)


def list_truth(suite: Any, task: Any) -> list[Call]:
    """The calls of a task that nobody attacks."""
    env = suite.load_and_inject_default_environment({})
    truth = task.ground_truth(task.init_environment(env.model_copy(deep=True)))
    return [(call.function, dict(call.args)) for call in truth]
