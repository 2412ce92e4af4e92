"""A script through the real loop: the product builds every request, a scripted model answers."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import orjson

from plainloop.agent.base.messages.contents import make_text_message, seal_messages
from plainloop.agent.base.messages.requests import to_tools_text
from plainloop.agent.base.tokens.estimate import MESSAGE_OVERHEAD_TOKENS, estimate_message_tokens
from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.core.loop import run_agent
from plainloop.agent.core.policy import trim_messages
from plainloop.agent.core.spec import Check, Pack, WorkerSpec
from plainloop.agent.core.tools import Tool, ToolContext
from plainloop.agent.designs.base import NodeTable
from plainloop.agent.evaluators._base_evaluator import make_evaluator_node
from plainloop.agent.providers.anthropic.wire import from_message, to_body
from plainloop.agent.providers.defaults import quirks_for
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.providers.provider_state import SentCall, Target
from plainloop.agent.store.records import SentHead
from plainloop.agent.types import ChatRequest, LLMResponse, Message, ModelInfo, StreamDelta, Usage
from plainloop.agent.workers._base_worker import make_tools_node, make_worker_node
from plainloop_lab.replay.engine.closed_store import ClosedStore
from plainloop_lab.replay.engine.context import make_replay_context
from scripts.benchmarks.threads.caches import Request, Segment
from scripts.benchmarks.threads.scripts import TOOL_TOKENS, Call, Script, Turn

MODEL: Final = "claude-sonnet-5-5"
TARGET: Final = Target("anthropic", MODEL, quirks_for("anthropic", MODEL, ""))
_MANY: Final = 10**7
PASSED: Final = '{"verdict": "pass", "feedback": "", "score": 1}'


@dataclass(slots=True)
class Asking:
    """One request of a worker: what the product sent, and what the state held then."""

    turn: int
    worker: str
    profile: int
    messages: list[Message]
    feedback: str
    request: ChatRequest
    call: Call


@dataclass(slots=True)
class Played:
    """A thread that was played. thinking: tokens by signature."""

    asked: list[Asking] = field(default_factory=list[Asking])
    thinking: dict[str, int] = field(default_factory=dict[str, int])


def fill(tokens: int, name: str) -> str:
    """Make a text of about so many tokens, that begins with a name of its own."""
    return " ".join([name, *["word"] * max(0, tokens - 2)])


def name_worker(worker: int) -> str:
    return f"worker{worker}"


def make_worker(script: Script, worker: int) -> WorkerSpec:
    """The worker of this number; the last one's answers are checked."""
    name = name_worker(worker)
    prompt = fill(script.systems[worker], f"You are {name}.")
    tools = tuple(tool.name for tool in make_tools(script, worker))
    is_reviewed = any(turn.feedback for turn in script.turns if turn.worker == worker)
    return WorkerSpec(name, name, prompt, tools, evaluate="always" if is_reviewed else "never")


def make_tools(script: Script, worker: int) -> list[Tool]:
    async def look(tool: ToolContext, /, **_: Any) -> Any:
        return {"rows": _.pop("rows", "")}

    return [
        Tool(
            *(f"look_{worker}_{n}", fill(TOOL_TOKENS - 25, "Looks."), "read", look),
            parameters={"type": "object", "properties": {"q": {"type": "string"}}},
        )
        for n in range(max(1, script.tools[worker] // TOOL_TOKENS))
    ]


async def play(script: Script, window: int, **limits: Any) -> Played:
    """Play a thread through workers, tools, reviews and the real trimming of history."""
    played, history, heads = Played(), list[Message](), dict[tuple[str, int], SentHead]()
    settings = make_settings(window, limits)
    for n, turn in enumerate(script.turns):
        chat = _ScriptedChat(script, n, turn, played, settings)
        pack = chat.make_pack()
        store = _ThreadStore(history, chat.see_step, heads)
        said = make_text_message("user", f"question {n}")
        user: Message = {**said, "tokens": turn.user}
        chat.messages = [*history, *seal_messages(history, [user])]
        context = fill(script.profile, f"Profile {turn.profile}.") if script.profile else ""
        ctx = make_replay_context(
            *(store, _Models(chat), pack, make_table(pack, turn), settings, len(history)),
            prompt_context=context,
        )
        chat.heads = heads
        state = await run_agent(user, ctx)
        assert state["done"]
        history = chat.messages
    return played


def make_table(pack: Pack, turn: Turn) -> NodeTable:
    """The workers' own nodes; the turn's worker is asked without triage."""
    nodes: dict[str, Any] = {}
    for spec in pack.workers:
        nodes[spec.name] = make_worker_node(spec)
        nodes[f"{spec.name}.tools"] = make_tools_node(spec)
        nodes[f"{spec.name}.evaluator"] = make_evaluator_node(spec)
    return NodeTable(nodes, name_worker(turn.worker))


def make_settings(window: int, limits: dict[str, Any]) -> Settings:
    settings = load_settings({})
    large = dict.fromkeys(("history_tokens", "tool_result_tokens", "appended_tokens"), _MANY)
    changed = replace(settings.limits, window_tokens=window, **{**large, **limits})
    return replace(settings, limits=changed)


class _ThreadStore(ClosedStore):
    """A closed store that remembers between the turns of a thread how requests began."""

    def __init__(self, history: Sequence[Message], on_step: Any, heads: Any) -> None:
        super().__init__(history, {}, on_step)
        self._heads = heads

    async def load_head(
        self,
        tenant_id: str,
        /,
        thread_id: str,
        worker: str,
        start: int | None,
        canary_id: str | None,
    ) -> SentHead | None:
        return None if start is None else self._heads.get((worker, start))


class _Models:
    """One model for every role."""

    provider = TARGET.provider

    def __init__(self, chat: _ScriptedChat) -> None:
        self._handle = ModelHandle(TARGET.provider, MODEL, chat)
        with self._handle.factors.starting("replay"):
            pass  # nothing is read of a ledger that has none

    def resolve_chain(self, role: str, worker: str | None = None) -> tuple[ModelHandle, ...]:
        return (self._handle,)

    def resolve(self, role: str, worker: str | None = None) -> ModelHandle:
        return self._handle


class _ScriptedChat:
    """Answers one turn of a script. Its answers carry the sizes that the script says."""

    provider = TARGET.provider
    model = MODEL

    def __init__(
        self, script: Script, n: int, turn: Turn, played: Played, settings: Settings
    ) -> None:
        self._script, self._n, self._turn, self._played = script, n, turn, played
        self._settings = settings
        self._calls: list[Call] = [*turn.calls, *([turn.again] if turn.again else ())]
        self._is_sent_back = bool(turn.feedback)
        self._feedback = ""
        self.messages: list[Message] = []
        self.heads: dict[tuple[str, int], SentHead] = {}

    def make_pack(self) -> Pack:
        """The workers; the check of a letter that is to be written again finds a fault once."""
        count = len(self._script.systems)
        workers = [make_worker(self._script, worker) for worker in range(count)]
        tools = [tool for worker in range(count) for tool in make_tools(self._script, worker)]

        async def check(state: Any, ctx: Any) -> Check:
            if not self._is_sent_back:
                return Check()
            self._is_sent_back = False
            return Check((fill(self._turn.feedback - 20, "Fault"),))

        checked = [replace(w, check=check if w.evaluate == "always" else None) for w in workers]
        return Pack("bench", "Bench", tuple(checked), checked[0].name, tuple(tools))

    def see_step(self, commit: Any) -> None:
        self.messages = [*self.messages, *commit.update.get("messages", [])]
        self._feedback = commit.update.get("feedback", self._feedback)

    async def generate(self, request: ChatRequest) -> LLMResponse:
        if request.json_schema is not None:
            said = make_text_message("assistant", PASSED)
            return LLMResponse(said, "end", Usage(input_tokens=1, output_tokens=1), MODEL)
        call, worker = self._calls.pop(0), name_worker(self._turn.worker)
        self._played.asked.append(
            Asking(
                *(self._n, worker, self._turn.profile, self.messages, self._feedback),
                *(request, call),
            )
        )
        limits = self._settings.limits
        view = trim_messages(
            self.messages,
            limits.window_tokens,
            kept_share=limits.window_kept,
            turn_windows=limits.turn_windows,
        )
        place = worker, len(self.messages) - len(view)
        self.heads[place] = SentHead(request.system, to_tools_text(request) or None, "")
        return self._answer(request, call)

    async def list_models(self) -> list[ModelInfo]:
        return []

    async def generate_stream(
        self, request: ChatRequest
    ) -> AsyncIterator[StreamDelta | LLMResponse]:
        yield await self.generate(request)

    def _answer(self, request: ChatRequest, call: Call) -> LLMResponse:
        number = len(self._played.thinking)
        signature = f"thought {number}"
        self._played.thinking[signature] = call.thinking
        blocks: list[Any] = [{"type": "thinking", "thinking": "", "signature": signature}]
        if call.result is None:
            blocks.append({"type": "text", "text": f"answer {number}"})
        else:
            tool = request.tools[0].name
            given = {"rows": fill(call.result - 20, f"rows {number}")}
            blocks.append({"type": "tool_use", "id": f"c{number}", "name": tool, "input": given})
        body, notes = to_body(request, TARGET)
        answer = from_message(
            {"content": blocks, "model": MODEL, "usage": {"input_tokens": 1, "output_tokens": 1}},
            SentCall(request, TARGET, body, notes, None),
        )
        # The call brings its result's text along: it does not count as what the model wrote.
        return replace(answer, message={**answer.message, "tokens": call.visible})


def list_requests(played: Played, requests: Sequence[ChatRequest], sends: str) -> list[Request]:
    """List the requests as a vendor's cache sees them. sends: which thinking goes back: all, none,
    or what the product's own wire finds valid.
    """
    made: dict[str, str] = {}  # by thinking, what stood before it
    listed: list[Request] = []
    for n, (asking, request) in enumerate(zip(played.asked, requests, strict=True)):
        sent = find_sent(request) if sends == "valid" else None
        segments: list[Segment] = []
        digest, kept, total, invalid = hashlib.blake2b(), 0, 0, 0
        for signature, segment in list_segments(request, played.thinking):
            if signature:
                total += 1
                if sends == "none" or (sent is not None and signature not in sent):
                    continue
                kept += 1
                invalid += bool(invalid) or made[signature] != digest.hexdigest()
            segments.append(segment)
            digest.update(segment.key.encode())
        made[f"thought {n}"] = digest.hexdigest()
        output = asking.call.thinking + asking.call.visible
        listed.append(Request(asking.turn, segments, output, kept, total, invalid))
    return listed


def find_sent(request: ChatRequest) -> set[str]:
    body, _ = to_body(request, TARGET)
    blocks = (block for message in body["messages"] for block in message["content"])
    return {block["signature"] for block in blocks if block["type"] == "thinking"}


def list_segments(request: ChatRequest, thinking: dict[str, int]) -> Iterator[tuple[str, Segment]]:
    if tools := to_tools_text(request):
        yield "", Segment(tools, TOOL_TOKENS * len(request.tools), "head")
    yield "", Segment(request.system, len(request.system.split()), "head")
    last = len(request.messages) - 1
    for n, message in enumerate(request.messages):
        for part in message["parts"]:
            if part["type"] == "reasoning" and "provider_state" in part:
                signature = part["provider_state"]["value"]["signature"]
                yield signature, Segment(signature, thinking[signature], "answer")
        shown = [part for part in message["parts"] if part["type"] != "reasoning"]
        key = orjson.dumps([message["role"], shown], default=str).decode()
        kind = "answer" if message["role"] == "assistant" else "user"
        is_passing = n == last and request.is_newest_passing
        tokens = estimate_message_tokens(message) - (
            0 if "tokens" in message else MESSAGE_OVERHEAD_TOKENS
        )
        yield "", Segment(key, tokens, "passing" if is_passing else kind)
