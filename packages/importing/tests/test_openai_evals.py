"""OpenAI Evals: rows of datasets, what runs sampled, and which check of ours a grader is."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from packages.importing.tests.conftest import Bring, read_all, show
from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import InputError
from plainloop.agent.store.store import Store
from plainloop.agent.usage.report import summarize_usage
from plainloop_importing.evals import describe_graders
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop

QUESTION = "What is 2 + 2?"
OF_ROW = "a row of a dataset: its expected answer is imported as the answer"
SAID: list[tuple[Any, ...]] = [("user", QUESTION, []), ("assistant", "4", [])]
ROWS = {
    "hosted": {"item": {"question": QUESTION, "ground_truth": "4"}},
    "sampled": {"item": {"prompt": QUESTION, "correct_label": 4}, "sample": {"output_text": "5"}},
    "messages": {"item": {"input": [{"role": "user", "content": QUESTION}], "expected": "4"}},
    "open source": {
        "input": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": QUESTION},
        ],
        "ideal": ["4", "four"],
    },
}
OUTPUT = {
    "object": "eval.run.output_item",
    "id": "outputitem_1",
    "created_at": 1761382800,
    "datasource_item": {"question": QUESTION, "ground_truth": "4"},
    "results": [{"name": "match", "passed": True, "score": 1.0}],
    "sample": {
        "model": "gpt-4o-mini",
        "finish_reason": "stop",
        "input": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": QUESTION},
        ],
        "output": [{"role": "assistant", "content": "4"}],
        "usage": {
            "prompt_tokens": 20,
            "cached_tokens": 0,
            "completion_tokens": 1,
            "total_tokens": 21,
        },
    },
}
OF_ITEM = "{{item.ground_truth}}"
GRADERS = [
    {
        "name": "match",
        "type": "string_check",
        "reference": "{{item.ground_truth}}",
        "operation": "eq",
    },
    {"name": "polite", "type": "string_check", "reference": "please", "operation": "ilike"},
    {"name": "near", "type": "text_similarity", "reference": OF_ITEM, "pass_threshold": 0.7},
    {"name": "tone", "type": "label_model", "model": "gpt-6-luna"},
    {"name": "own", "type": "python", "source": "def grade(sample, item): return 1"},
]


def write(folder: Path, *items: Any) -> str:
    path = folder / "evals.jsonl"
    path.write_text("\n".join(map(json.dumps, items)), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", ROWS)
async def test_an_eval_row_becomes_a_conversation_with_an_expected_answer(
    settings: Settings, tmp_path: Path, name: str
) -> None:
    (whole,) = await read_all(settings, "openai", write(tmp_path, ROWS[name]))
    assert show(whole.messages) == SAID
    assert OF_ROW in whole.notes
    assert whole.system == ("Be brief." if name == "open source" else "")
    assert any("sampled answer" in note for note in whole.notes) == (name == "sampled")
    assert whole.expected == {"open source": ["4", "four"], "sampled": 4}.get(name, "4")


async def test_an_eval_row_without_a_known_request_is_an_error(
    settings: Settings, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="item 1: this is not a record of OpenAI"):
        await read_all(settings, "openai", write(tmp_path, {"item": {"ground_truth": "4"}}))


async def test_an_eval_runs_output_becomes_a_conversation_with_a_call(
    bring: Bring, store: Store, tmp_path: Path
) -> None:
    report = await bring("openai", write(tmp_path, OUTPUT))
    assert report.conversations == 1
    assert [*report.notes] == ["a grader's result, match passed: left out"]
    (total,) = await summarize_usage(store.read("local"))
    assert (total.calls, total.input_total, total.output_total) == (1, 20, 1)


async def test_each_grader_is_listed_with_the_matching_check(bring: Bring, tmp_path: Path) -> None:
    eval_ = {"object": "eval", "id": "eval_1", "testing_criteria": GRADERS}
    report = await bring("openai", write(tmp_path, eval_, ROWS["hosted"]))
    assert [*report.refused] == [
        "grader match (string_check): in rules.toml [[check]] equals = true, with --expected",
        'grader polite (string_check): in rules.toml [[check]] contains = "please"',
        "grader near (text_similarity): in rules.toml [[check]] similar = 0.7, with --expected",
        "grader tone (label_model): use --judge openai:gpt-6-luna, with the grader's prompt as "
        "--rubric",
        'grader own (python): in rules.toml [[check]] python = "package.module:function"',
    ]


async def test_expected_answers_are_written_for_the_gate(
    plainloop: Command, store: Store, tmp_path: Path
) -> None:
    write(tmp_path, ROWS["hosted"], ROWS["open source"])
    done = await plainloop("import", "openai", "evals.jsonl", "--expected", "expected.jsonl")
    assert "2 expected answers written" in done.out, done
    lines = [json.loads(line) for line in (tmp_path / "expected.jsonl").read_text().splitlines()]
    threads = await store.list_threads("local", "local", limit=10)
    assert {line["conversation_id"] for line in lines} == {one.thread_id for one in threads}
    assert sorted(str(line["expected"]) for line in lines) == ["4", "['4', 'four']"]


@pytest.mark.parametrize("reference", ["don't", 'say "hi"', "a\nb", "C:\\temp", 'it\'s "so"'])
@pytest.mark.parametrize("operation", ["eq", "ne", "like"])
def test_a_graders_check_is_valid_toml(reference: str, operation: str) -> None:
    grader = {"type": "string_check", "operation": operation, "reference": reference}
    [told] = describe_graders({"testing_criteria": [grader]})
    [check] = tomllib.loads(f"[[check]]\n{told.partition('[[check]] ')[2]}")["check"]
    if operation == "like":
        assert check == {"contains": reference}
    else:
        assert (re.search(check["regex"], reference) is not None) == (operation == "eq")
