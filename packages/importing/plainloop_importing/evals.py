"""Datasets, runs and graders of OpenAI Evals, hosted (it ends on 30 November 2026) or open source.

Sources: developers.openai.com/api/docs/deprecations; the types of `evals` and `graders` in OpenAI's
SDK (`evals/create_eval_jsonl_run_data_source_param.py`); github.com/openai/evals, eval-templates.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from plainloop.agent.config.settings import Settings

from .conversations import ModelCall
from .messages import MessageReader, split_system
from .spool import Spool
from .usage import read_usage
from .values import as_dict, as_list, as_text, parse_moment
from .whole import keep_whole

PROVIDER: Final = "openai"
# What people call the request and the expected answer of a row, the most usual first.
_REQUESTS: Final = (
    *("messages", "input", "conversation", "question", "prompt", "query", "user_input"),
    *("request", "user", "text", "problem", "instruction", "ticket_text"),
)
_EXPECTED: Final = (
    *("ideal", "expected", "expected_output", "expected_answer", "correct_answer", "ground_truth"),
    *("correct_label", "reference_answer", "reference", "target", "answer", "label", "output"),
)


def read_eval(spool: Spool, item: dict[str, Any], settings: Settings) -> bool:
    """Put one item of OpenAI's evals into the spool (a temporary store).

    Returns False for an item of another kind. Known kinds: a row of a dataset, the output of a run,
    an eval with its graders.
    """
    reader = MessageReader(settings)
    if item.get("object") == "eval":
        for line in describe_graders(item):
            spool.left_out[line] += 1
    elif item.get("object") == "eval.run.output_item":
        spool.put_call(_make_call(item, reader))
    elif isinstance(item.get("item"), dict):
        sample = as_dict(item.get("sample"))
        answer = as_text(sample.get("output_text")) or as_list(sample.get("output"))
        return _keep_row(spool, as_dict(item["item"]), reader, answer or None)
    elif "ideal" in item and "input" in item:
        return _keep_row(spool, item, reader, None)
    else:
        return False
    return True


def _keep_row(spool: Spool, row: dict[str, Any], reader: MessageReader, sampled: Any) -> bool:
    """Put a dataset's row into the spool as a conversation with its expected answer.

    Returns False for an item that is no row.
    """
    asked = next((row[key] for key in _REQUESTS if row.get(key)), None)
    expected = next((row[key] for key in _EXPECTED if row.get(key) not in (None, "", [])), None)
    if asked is None:
        return False
    accepted = as_list(expected) or [expected]
    answer = sampled if expected is None else accepted[0]
    note = "a row of a dataset: its expected answer is imported as the answer"
    reader.note(note if expected is not None else "a row of a dataset without an expected answer")
    if sampled is not None and expected is not None:
        reader.note("a sampled answer beside the expected one: left out")
    said = reader.read(as_list(asked) or [_make(asked, "user")])
    if isinstance(answer, list):
        said += reader.read(as_list(answer))
    elif answer is not None:
        said += reader.read([_make(answer, "assistant")])
    named = as_text(row.get("id")) or None
    system = as_text(row.get("system"))
    keep_whole(spool, reader, said, name=named, system=system, expected=expected)
    return True


def _make(value: Any, role: str) -> dict[str, Any]:
    return {"role": role, "content": as_text(value)}


def _make_call(item: dict[str, Any], reader: MessageReader) -> ModelCall:
    """Make a model call from a run's output item: request, answer, tokens and grades."""
    sample, name = as_dict(item.get("sample")), as_text(item.get("id"))
    at = parse_moment(item.get("created_at"))
    system, sent = split_system(reader.read(as_list(sample.get("input"))))
    call = ModelCall(name, name, at, at, PROVIDER, system=system, sent=sent or None)
    call.model = as_text(sample.get("model"))
    answers = reader.read(as_list(sample.get("output")))
    call.answer = answers[-1] if answers else None
    call.finish = as_text(sample.get("finish_reason")) or None
    call.usage = read_usage(as_dict(sample.get("usage")), reader.note)
    call.error = as_text(as_dict(sample.get("error")).get("message")) or None
    for found in map(as_dict, as_list(item.get("results"))):
        verdict = "passed" if found.get("passed") else "failed"
        reader.note(f"a grader's result, {as_text(found.get('name'))[:60]} {verdict}: left out")
    call.notes = reader.list_notes()
    return call


def describe_graders(item: dict[str, Any]) -> Iterator[str]:
    """Describe for each grader of an eval which check of `rules.toml` replaces it.

    >>> grader = {"type": "string_check", "operation": "ilike", "reference": "thanks", "name": "g"}
    >>> list(describe_graders({"testing_criteria": [grader]}))
    ['grader g (string_check): in rules.toml [[check]] contains = "thanks"']
    """
    for grader in map(as_dict, as_list(item.get("testing_criteria"))):
        kind, reference = as_text(grader.get("type")), as_text(grader.get("reference"))
        name = as_text(grader.get("name"))[:60] or "without a name"
        yield f"grader {name} ({kind}): {_map_grader(grader, kind, reference)}"


def quote_toml(text: str) -> str:
    """Quote a text as a string of TOML, whose escapes are those of JSON.

    >>> print(quote_toml("it's"))
    "it's"
    """
    return json.dumps(text, ensure_ascii=False)


def _map_grader(grader: dict[str, Any], kind: str, reference: str) -> str:
    """Return how plainloop checks what a grader checks, as text for the report.

    Sources: developers.openai.com/api/reference/resources/graders; packages/lab/docs/ci.md.
    """
    is_of_row = "{{" in reference
    operation = grader.get("operation")
    if kind == "string_check" and is_of_row and operation != "ne":
        return "in rules.toml [[check]] equals = true, with --expected"
    if kind == "string_check" and operation in ("like", "ilike"):
        return f"in rules.toml [[check]] contains = {quote_toml(reference)}"
    if kind == "string_check" and not is_of_row:
        exact = f"{re.escape(reference)}$"
        pattern = f"^{exact}" if operation == "eq" else f"^(?!{exact})"
        literal = quote_toml(pattern) if "'" in pattern or "\n" in pattern else f"'{pattern}'"
        return f"in rules.toml [[check]] regex = {literal}"
    if kind == "text_similarity":
        least = grader.get("pass_threshold", 0.8)
        return f"in rules.toml [[check]] similar = {least}, with --expected"
    if kind in ("label_model", "score_model"):
        model = as_text(grader.get("model")) or "MODEL"
        return f"use --judge openai:{model}, with the grader's prompt as --rubric"
    if kind == "python":
        return 'in rules.toml [[check]] python = "package.module:function"'
    return "no check of ours is like it"
