"""The thread of 40 stored messages: ten exchanges with a tool call each, about 8,000 tokens.

The newest exchange is a turn that was really run (`PREVIOUS` in texts.py), as in a conversation
that goes on: what the provider has in its cache of the turn before is part of the measurement.
"""

from __future__ import annotations

from typing import Any

from plainloop.agent.types import Message
from scripts.benchmarks.flow.texts import JOBS

EXCHANGES = 9
NOTES = (
    "The posting asks for hands-on work with event streams, a good grasp of SQL and the patience "
    "to talk to the people who use the data. It names a home office allowance, five weeks of "
    "leave and a yearly budget for conferences. The first interview is a call of 30 minutes, the "
    "second a walk through a design of one's own, the third a lunch with the team. "
)


def build_history() -> list[Message]:
    """All but the newest exchange, oldest first; every call is answered."""
    return [message for n in range(EXCHANGES) for message in _build_exchange(n)]


def _build_exchange(n: int) -> list[Message]:
    rows = [
        {"job_id": i + 1, "company": company, "title": title, "status": status, "location": place,
         "salary_max": salary, "notes": f"{notes}. {NOTES if (i + n) % 4 == 0 else ''}".strip()}
        for i, (company, title, status, place, salary, notes) in enumerate(JOBS)
    ]  # fmt: skip
    company = JOBS[n % len(JOBS)][0]
    call: Any = {"type": "tool_call", "id": f"call_{n}", "name": "list_jobs", "arguments": {}}
    result: Any = {
        "type": "tool_result",
        "id": f"call_{n}",
        "name": "list_jobs",
        "result": {"jobs": rows},
        "is_error": False,
    }
    asked = f"What do we know by now about {company}, and how does it compare with the others?"
    said = f"{company} stands at number {n % len(JOBS) + 1} of your list. {NOTES * 2}"
    return [
        {"role": "user", "parts": [{"type": "text", "text": asked}]},
        {"role": "assistant", "parts": [call]},
        {"role": "tool", "parts": [result]},
        {"role": "assistant", "parts": [{"type": "text", "text": said.strip()}]},
    ]
