"""EleutherAI's lm-evaluation-harness, unmodified: it scores the service over Chat Completions.

`AGENT_TEST_CLIENTS=all ./scripts/packages` fetches it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from plainloop.agent.types import ChatRequest, LLMResponse
from tests.machine.scripted import text
from tests.processes import run_program
from tests.protocols.behind import BEHIND, serve_behind
from tests.protocols.conftest import ServeNotes
from tests.protocols.test_equal_conversations import REACT
from tests.protocols.test_python_clients import FOLDER
from tests.wire_fixtures import StartWire

HARNESS = FOLDER / "lm_eval"
CITIES = {"Norway": "Oslo", "Peru": "Lima", "Kenya": "Nairobi"}
TASK = """
task: capitals
dataset_path: json
dataset_kwargs: {data_files: {test: %s}}
test_split: test
output_type: generate_until
doc_to_text: "The capital of {{country}}?"
doc_to_target: "{{city}}"
generation_kwargs: {until: ["\\n\\n"], do_sample: false, temperature: 0}
metric_list: [{metric: exact_match}]
"""


def answer(request: ChatRequest) -> LLMResponse:
    """Name the capital of the country in the newest message; of Kenya a wrong one."""
    country = next(name for name in CITIES if name in str(request.messages[-1]))
    return text("Mombasa" if country == "Kenya" else CITIES[country])


@pytest.mark.skipif(
    not HARNESS.is_dir(),
    reason="lm_eval is not installed: AGENT_TEST_CLIENTS=all ./scripts/packages",
)
@pytest.mark.parametrize("behind", BEHIND)
async def test_lm_eval_can_score_our_answers(
    behind: str, serve: ServeNotes, wire_server: StartWire, tmp_path: Path
) -> None:
    served = await serve_behind(behind, answer, serve, wire_server)
    rows = [{"country": country, "city": city} for country, city in CITIES.items()]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "capitals.yaml").write_text(TASK % (tmp_path / "rows.jsonl"))
    model = {"model": REACT, "base_url": f"{served.url}/v1/chat/completions", "max_retries": 1}
    await run_program(
        *(sys.executable, "-m", "lm_eval", "run", "--model", "local-chat-completions"),
        *("--model_args", ",".join(f"{name}={value}" for name, value in model.items())),
        *("--tasks", "capitals", "--include_path", str(tmp_path), "--apply_chat_template"),
        *("--output_path", str(tmp_path / "out"), "--log_samples"),
        folder=tmp_path,
        timeout_s=300,
        environ={
            "PYTHONPATH": str(HARNESS),
            "OPENAI_API_KEY": served.token(),
            "HF_HOME": str(tmp_path / "cache"),
            "HF_HUB_OFFLINE": "1",
        },
    )

    (report,) = (tmp_path / "out").rglob("results_*.json")
    scores = json.loads(report.read_text())["results"]["capitals"]
    assert scores["exact_match,none"] == pytest.approx(2 / 3)
