"""A small tracker behind tools, so that whole conversations can be held with the brain.

The tools are declared as JSON Schema, as any wire would carry them; the rows are a plain list.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from plainloop.agent.types import ChatRequest, FunctionCall, LLMResponse, Message, ToolSchema
from plainloop_rules.offline.brain.brain import answer

TEXT: dict[str, Any] = {"type": "string"}
AMOUNT: dict[str, Any] = {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]}
STATUS: dict[str, Any] = {"enum": ["saved", "applied", "interviewing", "offer", "rejected"]}
REMOTE: dict[str, Any] = {"anyOf": [{"enum": ["onsite", "hybrid", "remote"]}, {"type": "null"}]}
OPTIONAL: dict[str, Any] = {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}

JOB_FIELDS: dict[str, Any] = {
    "company": TEXT,
    "title": TEXT,
    "url": OPTIONAL,
    "status": STATUS,
    "notes": OPTIONAL,
    "salary_min": AMOUNT,
    "salary_max": AMOUNT,
    "location": OPTIONAL,
    "remote_type": REMOTE,
    "tags": OPTIONAL,
    "contact_name": OPTIONAL,
    "contact_email": OPTIONAL,
    "source": OPTIONAL,
    "requirements": OPTIONAL,
    "nice_to_haves": OPTIONAL,
    "job_fit": {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 5}, {"type": "null"}]},
}


def make_tool(name: str, properties: dict[str, Any], *required: str) -> ToolSchema:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return ToolSchema(name, name.replace("_", " "), schema)


CREATE_JOB = make_tool("create_job", JOB_FIELDS, "company", "title")
LIST_JOBS = make_tool(
    "list_jobs",
    {
        "status": {"anyOf": [STATUS, {"type": "null"}]},
        "company": OPTIONAL,
        "title": OPTIONAL,
        "url": OPTIONAL,
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
    },
)
UPDATE_JOB = make_tool("update_job", {"job_id": {"type": "integer"}, **JOB_FIELDS}, "job_id")
DELETE_JOB = make_tool("delete_job", {"job_id": {"type": "integer"}}, "job_id")
READ_PROFILE = make_tool("read_user_profile", {})
UPDATE_PROFILE = make_tool("update_user_profile", {"content": TEXT}, "content")
READ_RESUME = make_tool("read_resume", {})
WEB_SEARCH = make_tool(
    "web_search",
    {"query": TEXT, "num_results": {"type": "integer", "minimum": 1, "maximum": 10}},
    "query",
)
JOB_SEARCH = make_tool(
    "job_search",
    {
        "query": TEXT,
        "location": OPTIONAL,
        "remote_only": {"type": "boolean", "default": False},
        "salary_min": AMOUNT,
        "salary_max": AMOUNT,
        "num_results": {"type": "integer", "minimum": 1, "maximum": 20},
        "provider": {"anyOf": [{"enum": ["adzuna", "jsearch"]}, {"type": "null"}]},
    },
    "query",
)
SCRAPE_URL = make_tool("scrape_url", {"url": TEXT}, "url")

TRACKER_TOOLS = (
    CREATE_JOB,
    LIST_JOBS,
    UPDATE_JOB,
    DELETE_JOB,
    READ_PROFILE,
    UPDATE_PROFILE,
    READ_RESUME,
)
ALL_TOOLS = (*TRACKER_TOOLS, WEB_SEARCH, JOB_SEARCH, SCRAPE_URL)
LETTER_TOOLS = (LIST_JOBS, READ_RESUME, READ_PROFILE)

RESUME: dict[str, Any] = {
    "basics": {"name": "Mira Lund", "label": "Data Engineer", "email": "mira@lund.example"},
    "work": [
        {
            "name": "Nordlys Analytics",
            "position": "Data Engineer",
            "startDate": "2019-04",
            "endDate": "2023-01",
            "highlights": ["Moved 40 pipelines to Airflow", "Cut the cloud bill by 18%"],
        },
        {
            "name": "Fjordbank",
            "position": "Analyst",
            "startDate": "2016-01",
            "endDate": "2019-03",
            "highlights": ["Built SQL reports for the risk team"],
        },
    ],
    "education": [
        {
            "institution": "University of Bergen",
            "area": "Statistics",
            "studyType": "Master",
            "startDate": "2013",
            "endDate": "2015",
        }
    ],
    "skills": [{"name": "Data", "keywords": ["Python", "SQL", "Airflow", "dbt"]}],
}


def say(role: Any, text: str) -> Message:
    return {"role": role, "parts": [{"type": "text", "text": text}]}


def make_job(job_id: int, company: str, title: str, **more: Any) -> dict[str, Any]:
    return {"job_id": job_id, "company": company, "title": title, "status": "saved", **more}


@dataclass
class Conversation:
    """A thread with its rows. `ask` runs a turn to its answer and keeps the calls of it."""

    jobs: list[dict[str, Any]] = field(default_factory=list)
    profile: str = ""
    resume: dict[str, Any] | None = None
    pages: dict[str, Any] = field(default_factory=dict)
    found: list[dict[str, Any]] = field(default_factory=list)
    tools: tuple[ToolSchema, ...] = TRACKER_TOOLS
    system: str = "You keep the user's job tracker with your tools."
    as_text: bool = False  # tool results travel as JSON text, as on most wires
    messages: list[Message] = field(default_factory=list)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def ask(self, text: str) -> str:
        self.messages.append(say("user", text))
        self.calls = []
        for _ in range(12):
            response = self.call_brain()
            self.messages.append(response.message)
            if not response.tool_calls:
                return response.text
            self.messages.append({"role": "tool", "parts": [*map(self.run, response.tool_calls)]})
        raise AssertionError(f"no answer after 12 calls: {self.calls}")

    def call_brain(self) -> LLMResponse:
        return answer(ChatRequest(self.system, self.messages, self.tools))

    def run(self, call: FunctionCall) -> Any:
        self.calls.append((call["name"], call["arguments"]))
        result = getattr(self, call["name"])(**call["arguments"])
        return {
            "type": "tool_result",
            "id": call["id"],
            "name": call["name"],
            "result": json.dumps(result) if self.as_text else result,
            "is_error": "error" in result,
        }

    def create_job(self, **fields: Any) -> dict[str, Any]:
        self.jobs.append({"job_id": len(self.jobs) + 1, "status": "saved", **fields})
        return {"job": dict(self.jobs[-1])}

    def list_jobs(self, limit: int = 20, **filters: str) -> dict[str, Any]:
        rows = [
            dict(job)
            for job in self.jobs
            if all(str(v).lower() in str(job.get(k, "")).lower() for k, v in filters.items())
        ]
        return {"jobs": rows[:limit], "total": len(rows)}

    def update_job(self, job_id: int, **fields: Any) -> dict[str, Any]:
        for job in self.jobs:
            if job["job_id"] == job_id:
                job.update(fields)
                return {"job": dict(job)}
        return {"error": f"there is no job {job_id}"}

    def delete_job(self, job_id: int) -> dict[str, Any]:
        self.jobs = [job for job in self.jobs if job["job_id"] != job_id]
        return {"deleted": True}

    def read_user_profile(self) -> dict[str, Any]:
        return {"content": self.profile}

    def update_user_profile(self, content: str) -> dict[str, Any]:
        self.profile = content
        return {"updated": True}

    def read_resume(self) -> dict[str, Any]:
        if self.resume is None:
            return {"resume": None, "note": "no résumé is imported yet"}
        return {"resume": self.resume}

    def web_search(self, **_: Any) -> dict[str, Any]:
        return {"results": self.found}

    def job_search(self, **_: Any) -> dict[str, Any]:
        return {"results": self.found}

    def scrape_url(self, url: str) -> dict[str, Any]:
        return self.pages.get(url, {"error": f"{url} cannot be reached"})
