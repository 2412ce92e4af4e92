"""What one call comes to: the server's parts, a prompt's bound, the brain asked and counted."""

from __future__ import annotations

import hashlib
import time

from plainloop.agent.dataclasses import dataclass, field, replace
from plainloop.agent.types import JsonSchema, LLMResponse

from .answer import Answer, build_parts, count_parts, limit_parts
from .batches.store import Batch, StoredFile
from .call import Brain, Dialect, Rules, WireCall, WireRequest, read_account
from .faults import FaultQueue
from .journal import Journal
from .prompt_cache import PromptCache


@dataclass(slots=True)
class Wire:
    """One server's parts. Tests read `journal` and load `faults` directly."""

    brain: Brain
    rules: Rules
    faults: FaultQueue
    journal: Journal
    cache: PromptCache
    batches: dict[str, Batch] = field(default_factory=dict[str, Batch])
    files: dict[str, StoredFile] = field(default_factory=dict[str, StoredFile])


def ask_brain(call: WireCall, brain: Brain) -> tuple[LLMResponse, str | None]:
    """Ask the brain (the model's stand-in) for an answer.

    Returns (answer, name of the tool whose arguments it has as JSON text, or None). A required call
    is always made: a brain that made none is asked for the first tool's arguments.
    """
    response = brain.answer(call.request)
    if not call.must_call or response.tool_calls:
        return response, call.forced_tool
    tool = call.must_call[0]
    schema = JsonSchema(tool.name, tool.parameters)
    return brain.answer(replace(call.request, json_schema=schema, tools=())), tool.name


def build_answer(
    call: WireCall, dialect: Dialect, wire: Wire, asked: WireRequest | None = None
) -> Answer:
    """Answer a request with the brain (the model's stand-in), and count its tokens.

    These are the tokens of prompt, prompt cache and answer. asked: the HTTP request, with its time
    of arrival; None: a batch's line. Raises: what the brain raises; WireError from a script.
    """
    response, forced_tool = ask_brain(call, wire.brain)
    scope = f"{dialect.name}:{call.model}:{asked and read_account(asked.headers)}:{call.scope}"
    started_s = asked and asked.started_s
    rule = dialect.choose_cache(call.model)
    prompt = wire.cache.measure(rule, scope, call.segments, started_s)
    running = hashlib.blake2b(call.model.encode(), digest_size=16)
    for segment in call.segments:
        running.update(segment.text.encode())
    seed = running.hexdigest()
    parts = build_parts(call.request, response, forced_tool, seed)
    parts, stop, stop_sequence = limit_parts(
        parts, response.stop, call.request.max_tokens, call.stop_sequences
    )
    return Answer(
        seed=seed,
        model=wire.rules.reroutes.get(call.model, call.model),
        parts=parts,
        stop=stop,
        counts=count_parts(parts, prompt),
        created_s=int(time.time()),
        stop_sequence=stop_sequence,
        refusal=response.refusal,
        include_usage=call.include_usage,
        shows_reasoning=call.shows_reasoning,
        options=call.options,
    )
