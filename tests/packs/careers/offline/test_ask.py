"""Questions: lists, profile, résumé, searches, and what no rule can answer."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.base.messages import make_text_message
from plainloop.agent.offline.brain.brain import answer
from plainloop.agent.offline.brain.schemas import Param
from plainloop.agent.offline.brain.slots import read_slots
from plainloop.agent.types import ChatRequest, Message, ToolSchema
from tests.offline.tracker import ALL_TOOLS, RESUME, Conversation, make_job, say

LISTS: list[tuple[str, dict[str, Any]]] = [
    ("list my saved jobs", {"status": "saved"}),
    ("which jobs do I have?", {}),
    ("show me all jobs I applied to", {"status": "applied"}),
    ("how many jobs have I applied to?", {"status": "applied"}),
    ("what jobs am I interviewing for?", {"status": "interviewing"}),
    ("do I have any offers?", {"status": "offer"}),
    ("What is the status of the Microsoft job?", {"company": "Microsoft"}),
    ("show the last three jobs", {"limit": 3}),
    ("display my tracker", {}),
    ("what did I apply for?", {"status": "applied"}),
    ("Do I have anything at Netflix?", {"company": "Netflix"}),
    ("which jobs have I not applied to?", {}),
]
NOT_UNDERSTOOD = [
    "show me all jobs except the rejected ones",
    "list my jobs without an offer",
    "which jobs did I save this week?",
    "list my jobs paying over 80k",
    'how many jobs with title "Astronaut"?',
    "how many jobs did I get?",
    "list jobs I rejected",
    "how many jobs did I land?",
    "list my favourite jobs",
    "list jobs with visa sponsorship",
    "what is the status of my tax return?",
    "which jobs are still open?",
    "how many IT jobs do I have?",
]


@pytest.mark.parametrize(("text", "arguments"), LISTS)
def test_a_question_about_rows_lists_them(text: str, arguments: dict[str, Any]) -> None:
    conversation = Conversation()
    conversation.ask(text)
    assert conversation.calls == [("list_jobs", arguments)]


@pytest.mark.parametrize("text", NOT_UNDERSTOOD)
def test_a_condition_that_was_not_understood_is_no_filter(text: str) -> None:
    conversation = Conversation(jobs=[make_job(1, "Acme", "Cook"), make_job(2, "Huso", "Baker")])
    said = conversation.ask(text)
    assert conversation.calls == [("list_jobs", {})]
    assert said.endswith("I did not understand every word.")


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("which jobs have I applied to?", {"status": "applied", "or_later": True}),
        ("list the jobs with status applied", {"status": "applied"}),
    ],
)
def test_a_deed_is_what_a_job_reached_and_a_status_where_it_stands(
    text: str, slots: dict[str, Any]
) -> None:
    stages = ("saved", "applied", "offer")
    params = {
        "status": Param("status", ("string",), stages, False, {}),
        "or_later": Param("or_later", ("boolean",), (), False, {}),
    }
    assert read_slots(text, params) == slots


def test_a_list_is_told_row_by_row_with_its_filter() -> None:
    jobs = [
        make_job(1, "Microsoft", "Web Developer", location="Berlin", salary_min=90000),
        make_job(2, "Netflix", "Data Scientist"),
    ]
    assert Conversation(jobs=jobs).ask("list my saved jobs") == (
        "2 jobs (status saved):\n"
        "- #1 Web Developer at Microsoft (saved), Berlin, 90000\n"
        "- #2 Data Scientist at Netflix (saved)"
    )


@pytest.mark.parametrize(
    "text",
    [
        "show all my applications",
        "which bookmarked jobs do I have",
        "show the last three jobs",
        "what do I have in the pipeline",
        "could you show me what I have saved so far",
        "list my jobs please",
    ],
)
def test_a_request_that_was_understood_is_answered_without_a_doubt(text: str) -> None:
    jobs = [make_job(1, "Acme", "Cook"), make_job(2, "Huso", "Baker")]
    assert "understand" not in Conversation(jobs=jobs).ask(text)


def test_an_empty_list_says_so() -> None:
    assert Conversation().ask("list my offers") == "No jobs found (status offer)."


PROFILE_FACTS = [
    ("Remember that I prefer remote jobs.", "I prefer remote jobs"),
    (
        "I prefer companies with fewer than 200 people",
        "I prefer companies with fewer than 200 people",
    ),
    ("please note that my notice period is 3 months", "My notice period is 3 months"),
    ("Add that I speak Spanish to my profile", "That I speak Spanish"),
    ("I'm looking for part-time work", "I'm looking for part-time work"),
    ("My target salary is 80k", "My target salary is 80k"),
]


@pytest.mark.parametrize(("text", "fact"), PROFILE_FACTS)
def test_a_statement_about_oneself_goes_into_the_profile_and_nothing_is_lost(
    text: str, fact: str
) -> None:
    conversation = Conversation(profile="# Mira\n\n## Notes\n\n- Lives in Oslo\n\n## Skills\n\nSQL")
    conversation.ask(text)
    merged = f"# Mira\n\n## Notes\n\n- Lives in Oslo\n- {fact}\n\n## Skills\n\nSQL"
    assert conversation.calls == [
        ("read_user_profile", {}),
        ("update_user_profile", {"content": merged}),
    ]


def test_the_first_fact_makes_the_section() -> None:
    conversation = Conversation()
    conversation.ask("Remember that I prefer remote jobs")
    assert conversation.profile == "## Notes\n\n- I prefer remote jobs"


RESUME_QUESTIONS = [
    ("what skills do I have?", "Skills: Data, Python, SQL, Airflow, dbt"),
    (
        "where did I study?",
        "Education:\n- Master in Statistics, University of Bergen (2013–2015)",
    ),
    (
        "what does my résumé say about my work experience?",
        "Work:\n- Data Engineer at Nordlys Analytics (2019–2023)\n"
        "- Analyst at Fjordbank (2016–2019)",
    ),
]


@pytest.mark.parametrize(("text", "reply"), RESUME_QUESTIONS)
def test_a_question_about_the_resume_is_answered_from_it(text: str, reply: str) -> None:
    conversation = Conversation(resume=RESUME)
    assert conversation.ask(text) == reply
    assert conversation.calls == [("read_resume", {})]


def test_a_question_about_the_profile_reads_it() -> None:
    conversation = Conversation(profile="## Notes\n\n- Lives in Oslo")
    assert conversation.ask("what's in my profile?") == "## Notes\n\n- Lives in Oslo"
    assert Conversation().ask("show my profile") == "There is no user profile yet."


SEARCHES: list[tuple[str, str, dict[str, Any]]] = [
    (
        "find remote python jobs in Berlin",
        "job_search",
        {"query": "python", "location": "Berlin", "remote_only": True},
    ),
    (
        "search for 5 nurse jobs in Hamburg paying at least 50k",
        "job_search",
        {"query": "nurse", "location": "Hamburg", "salary_min": 50000, "num_results": 5},
    ),
    (
        "search the web for Acme interview questions",
        "web_search",
        {"query": "Acme interview questions"},
    ),
]


@pytest.mark.parametrize(("text", "tool", "arguments"), SEARCHES)
def test_a_search_carries_the_words_to_search_for(
    text: str, tool: str, arguments: dict[str, Any]
) -> None:
    found = [{"title": "Nurse", "company": "City Hospital", "url": "https://x.example/1"}]
    conversation = Conversation(tools=ALL_TOOLS, found=found)
    reply = conversation.ask(text)
    assert conversation.calls == [(tool, arguments)]
    assert "Nurse at City Hospital, https://x.example/1" in reply


def test_a_page_is_read_by_its_address() -> None:
    url = "https://acme.example/about"
    conversation = Conversation(tools=ALL_TOOLS, pages={url: {"text": "Acme makes anvils."}})
    assert conversation.ask(f"summarize {url}") == "Acme makes anvils."
    assert conversation.calls == [("scrape_url", {"url": url})]


@pytest.mark.parametrize(
    "text",
    [
        "Tell me a joke",
        "what is the status of my loan application?",
        "what about my mortgage application?",
        "how do I prepare for an interview?",
        "why is the sky blue?",
        "42",
        "…",
    ],
)
def test_what_no_rule_fits_gets_an_honest_answer_and_no_call(text: str) -> None:
    conversation = Conversation()
    reply = conversation.ask(text)
    assert conversation.calls == []
    assert "offline stand-in: fixed rules, no language model" in reply
    assert "create job, list jobs" in reply


def test_small_talk_is_answered_shortly() -> None:
    assert Conversation().ask("thanks!") == "You are welcome."
    assert Conversation().ask("Hello").startswith("Hello. I am plainloop's offline stand-in")


def test_a_tool_that_is_called_by_its_name_is_taken_whatever_it_does() -> None:
    clock = ToolSchema(
        "get_time",
        "The time now in a city.",
        {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    )
    asked = say("user", "What time is it in Oslo? Call get_time.")
    calls = answer(ChatRequest("Be brief.", [asked], (clock,))).tool_calls

    assert [(call["name"], call["arguments"]) for call in calls] == [("get_time", {"city": "Oslo"})]


def test_a_list_that_nothing_names_is_not_shown_for_another() -> None:
    tools = (*ALL_TOOLS, ToolSchema("list_companies", "Companies.", {"type": "object"}))
    said = "what tags do I have?"
    found = answer(ChatRequest("", [make_text_message("user", said)], tools=tools))
    assert not found.tool_calls


def test_a_name_that_the_list_cannot_be_asked_for_is_admitted():
    companies = ToolSchema("list_companies", "Companies.", {"type": "object"})
    asked = make_text_message("user", "tell me about the company Stripe")
    called = answer(ChatRequest("", [asked], tools=(companies,)))
    rows = {"companies": [{"company_id": 1, "name": "Acme"}, {"company_id": 2, "name": "Huso"}]}
    (call,) = called.tool_calls
    result: Message = {
        "role": "tool",
        "parts": [
            {
                "type": "tool_result",
                "id": call["id"],
                "name": call["name"],
                "result": rows,
                "is_error": False,
            }
        ],
    }
    said = answer(ChatRequest("", [asked, called.message, result], tools=(companies,))).text
    assert said.endswith("I did not understand every word.")
