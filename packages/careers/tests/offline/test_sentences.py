"""What the stand-in does with the tracker, said plainly; and that it does nothing on all else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from packages.rules.tests.offline.tracker import ALL_TOOLS, RESUME, Conversation, make_job, say
from plainloop.agent.packs.loading import load_packs
from plainloop_careers.files import load_data
from plainloop_careers.offline import grammar, load_rules
from plainloop_careers.offline.grammar import LANGUAGES, rephrase
from plainloop_careers.offline.grammar import __file__ as grammar_file
from plainloop_careers.offline.letters import is_letter_request
from plainloop_careers.offline.suggesting import suggest
from plainloop_rules.offline.brain.composing import compose_unread
from plainloop_rules.offline.brain.sentence import Deed, Unread, read_request

(CAREERS,) = (pack for pack in load_packs(["careers"]) if pack.name == "careers")
KEEPER = next(worker for worker in CAREERS.workers if worker.name == "crm_worker")
# As the pack has them: beside the jobs' tools those that store companies and contacts.
KEEPING = tuple(tool.schema for tool in CAREERS.tools if tool.name in KEEPER.tools)
JOBS = [
    make_job(1, "Microsoft", "Web Developer"),
    make_job(2, "Netflix", "Data Scientist", notes="saw it on Monday"),
    make_job(3, "Acme", "Cook"),
    make_job(4, "Acme", "Waiter"),
]
# A sentence and the calls that it leads to, each in its column; without any it does nothing. Most
# were said by people in earlier rounds: one of which a word is left open asks for nothing.
ROWS = Path(__file__).with_name("said.tsv").read_text(encoding="utf-8").splitlines()
SAID = {text: calls for text, *calls in (row.split("\t") for row in ROWS)}
ALL = tuple(tool.schema for tool in CAREERS.tools)
NURSE_AT_SPOTIFY = 'add a job: "data analyst" at "Spotify", status: applied'
SAVED = [text for text, calls in SAID.items() if calls and calls[0].startswith("create_job ")]


def talk(**options: Any) -> Conversation:
    return Conversation(jobs=[dict(job) for job in JOBS], tools=ALL_TOOLS, resume=RESUME, **options)


def test_a_sentence_acts_only_if_every_word_is_understood() -> None:
    for text, wanted in SAID.items():
        conversation = talk()
        reply = conversation.ask(text)
        calls = [(name, json.loads(given)) for name, _, given in (c.partition(" ") for c in wanted)]
        assert conversation.calls == calls, text
        if not calls:
            assert "I do not understand “" in reply and "so I did nothing" in reply, text
        elif calls[0][0] == "create_job":
            made = calls[0][1]
            assert reply == f"Added #5 {made['title']} at {made['company']} (saved)."


@pytest.mark.parametrize("said", ["hi", "Hello!", "what can you do?"])
def test_a_greeting_is_answered_with_three_sentences_to_try(said: str) -> None:
    reply = talk().ask(said)
    assert len([line for line in reply.splitlines() if line.startswith("- ")]) == 3
    assert "I do not understand" not in reply


def test_an_ambiguous_name_lists_the_rows_and_changes_none() -> None:
    conversation = talk()
    assert conversation.ask("mark the Acme job as rejected") == (
        "Several match; please choose one by its number:\n"
        "- #3 Cook at Acme (saved)\n- #4 Waiter at Acme (saved)"
    )
    assert conversation.calls == [("list_jobs", {})]


def test_a_name_that_may_be_hidden_in_a_cut_list_needs_a_number() -> None:
    conversation = Conversation(jobs=[make_job(n, "Noma", "Cook") for n in range(1, 30)])
    assert conversation.ask("delete the Noma job") == (
        "I can see only 20 of them. Please give its number, as in: #1."
    )
    assert conversation.calls == [("list_jobs", {})]


def test_the_word_it_means_the_only_row_of_the_previous_answer() -> None:
    conversation = talk()
    conversation.ask("Add Data Analyst at Spotify")
    conversation.ask("move it to applied")
    assert conversation.calls == [("update_job", {"job_id": 5, "status": "applied"})]
    conversation.messages.append(say("assistant", "#3 Cook at Acme (saved)"))  # of a fast path
    conversation.ask("move it to offer")
    assert conversation.calls == [("update_job", {"job_id": 3, "status": "offer"})]
    conversation.ask("list my jobs")
    assert conversation.ask("delete it").startswith("Which one do you mean?")
    assert conversation.calls == []


def test_missing_job_fields_are_taken_from_the_linked_page() -> None:
    url = "https://acme.example/jobs/7"
    page = {"title": "Platform Engineer", "proposal": {"company": "Acme", "location": "Oslo"}}
    conversation = talk(pages={url: page})
    conversation.ask(f"Save this job: {url}")
    made = {"company": "Acme", "title": "Platform Engineer", "url": url, "location": "Oslo"}
    assert conversation.calls == [("scrape_url", {"url": url}), ("create_job", made)]


def test_a_sentence_with_missing_input_is_not_completed_by_the_next_one() -> None:
    conversation = talk()
    assert conversation.ask("add a job at Siemens") == (
        "For that I still need title. Please repeat the whole request, with “title: …”."
    )
    conversation.ask("please save this one: Product Manager at Zalando")
    assert conversation.calls == [
        ("create_job", {"company": "Zalando", "title": "Product Manager"})
    ]


def test_offline_a_tool_error_is_reported_and_no_success_is_claimed() -> None:
    assert talk().ask("move #99 to offer") == "That did not work: there is no job 99"


@pytest.mark.parametrize("lead", ["update #2, notes: ", "add a job: Cook at Noma, notes: "])
def test_a_too_long_sentence_is_refused_and_stores_nothing(lead: str) -> None:
    conversation = talk()

    reply = conversation.ask(lead + "call Anna " * 200)

    assert conversation.calls == []
    assert "so I did nothing" in reply


# Postings, companies and people to be saved, in many orders of words: a row, or a form is offered.
SAVING = [
    row.split("\t")
    for row in Path(__file__).with_name("saving.tsv").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize(("text", "wanted"), [(text, "".join(call)) for text, *call in SAVING])
def test_an_uncertain_sentence_gets_a_form_and_stores_nothing(text: str, wanted: str) -> None:
    read = read_request(text, KEEPING)

    if wanted:
        name, _, given = wanted.partition(" ")
        assert isinstance(read, Deed)
        assert (read.tool.name, read.arguments, read.missing) == (name, json.loads(given), ())
        return
    assert isinstance(read, Unread)
    reply = compose_unread(read.words, text, read.tool)
    assert "so I did nothing" in reply
    assert "Write it like this: “" in reply or "]( #/" in reply or "These sentences work" in reply


UNSURE = (
    *("don't delete the Acme job", "should I delete the Acme job?", "maybe delete the Acme job"),
    *("I never applied to Acme", "My friend got rejected by Acme", "if Acme rejects me, move it"),
    *("please do not add a job at Acme", "delete the cover letter for Acme"),
)


def test_suggested_sentences_are_understood_when_sent() -> None:
    requests = [text for text, calls in SAID.items() if not calls]
    requests += [text for text, *call in SAVING if not "".join(call)]
    offered = [near for text in requests if (near := suggest(text)) is not None]
    for near in offered:
        english = rephrase(near.sentence)
        assert near.sentence or near.form or near.command
        if english and not is_letter_request(english):
            assert isinstance(read_request(english, ALL), Deed), english
    assert len(offered) > 0.7 * len(requests)
    assert [text for text in UNSURE if suggest(text) is not None] == []


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ("Just sent my application to Spotify for the data analyst role", NURSE_AT_SPOTIFY),
        ("heard back from Acme, interview on Tuesday", "move the Acme job to interviewing"),
        ("which companies turned me down?", "list my rejected jobs"),
        ("how many places have I applied to so far?", "how many jobs have I applied to?"),
        ("any remote python jobs in Berlin?", "find remote python jobs in Berlin"),
        ("get rid of the Acme one", "delete the Acme job"),
    ],
)
def test_a_free_sentence_is_answered_with_an_equivalent_that_parses(
    request_: str, sentence: str
) -> None:
    reply = talk().ask(request_)
    assert f"Write it like this: “{sentence}”" in reply
    assert "create_job" not in reply and "create job" not in reply


def test_a_request_that_names_a_job_title_gets_a_prefilled_form() -> None:
    reply = talk().ask("I found a Nurse position at City Hospital, can you save it?")
    assert "[Add a job](#/careers.tracker?add=saved&title=Nurse&company=City+Hospital)" in reply


@pytest.mark.parametrize(
    ("pay", "fields"),
    [
        (
            ", salary 650,000 to 720,000 NOK a year",
            "salary_min=650000&salary_max=720000&salary_currency=NOK&salary_period=year",
        ),
        (" for 60.000 EUR", "salary_min=60000&salary_max=60000&salary_currency=EUR"),
        (", it pays 55000 a year", "salary_min=55000&salary_max=55000&salary_period=year"),
        (", call 030 123 4567", None),
    ],
)
def test_a_prefilled_form_has_the_pay_of_the_sentence(pay: str, fields: str | None) -> None:
    reply = talk().ask(f"I found a job as Cook at Noma{pay}, please save it")
    form = "add=saved&title=Cook&company=Noma" + (f"&{fields}" if fields else "")
    assert f"(#/careers.tracker?{form})" in reply


POSTING = """Head Cook at Noma

About the role
We cook fish for people who like it, every day of the week but Monday.

Requirements
- Knives, and ten years of experience with them in a kitchen like ours
- Patience

We offer
- Lunch
Salary: 30,000 to 35,000 EUR a year
"""


def test_a_pasted_posting_is_offered_as_a_form_and_saved_on_request() -> None:
    conversation = talk()
    reply = conversation.ask(POSTING)
    assert conversation.calls == []
    assert "#/careers.tracker?add=saved&title=Head+Cook&company=Noma&salary_min=30000" in reply
    conversation.ask(f"add this job:\n\n{POSTING}")
    [(name, made)] = conversation.calls
    assert (name, made["title"], made["company"]) == ("create_job", "Head Cook", "Noma")
    assert "Knives" in made["requirements"] + made["notes"]


def test_help_prints_the_grammar_in_the_users_language() -> None:
    assert "- move the COMPANY job to STATUS" in talk().ask("help")
    assert "- verschiebe die Stelle bei COMPANY auf STATUS" in talk().ask("Hilfe!")
    assert "- passe le poste chez COMPANY à STATUS" in talk().ask("aide")
    assert "- mueve el puesto en COMPANY a STATUS" in talk().ask("ayuda")
    for thanks in ("thanks!", "Danke dir", "Merci beaucoup !", "muchas gracias"):
        assert talk().ask(thanks) == "You are welcome."
    for greeting in ("Hallo", "bonjour", "¡Hola!", "was kannst du?"):
        assert "I do not understand" not in talk().ask(greeting)


STATUS_WORDS = load_data(grammar_file, "grammar.toml")["statuses"]
SLOTS = {
    "title": "Koch",
    "company": "Uno",
    "city": "Rom",
    "min": "30k",
    "max": "35k",
    "name": "Anna",
    "number": "1",
    "url": "https://a.example/1",
    "text": "call Anna",
    "words": "acme interviews",
    "query": "nurse",
}
OWN_TURNS = ("write a cover letter", "import my ")  # are no single call of a tool


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_that_help_prints_is_understood(language: str) -> None:
    forms = load_data(grammar_file, "grammar.toml")["forms"]
    sentences = [sentence for form in forms.values() for sentence in form[language]]
    assert len(sentences) >= 40
    for sentence in sentences:
        status = STATUS_WORDS["interviewing"].get(language, "interviewing")
        said = sentence.replace("{status}", status)
        said = re.sub(r"\{(\w+)\}", lambda slot: SLOTS[slot[1]], said)
        english = rephrase(said)
        if english.startswith(OWN_TURNS):
            continue
        read = read_request(english, ALL)
        assert isinstance(read, Deed), (said, english)
        stored = f"{read.arguments} {read.named}".replace("30000", "30k").replace("35000", "35k")
        for slot in re.findall(r"\{(\w+)\}", sentence):
            assert {**SLOTS, "status": "interviewing"}[slot] in stored, (said, stored)


NATURAL = Path(__file__).with_name("natural.tsv").read_text(encoding="utf-8").splitlines()


def test_only_forms_whose_words_are_in_a_request_are_compiled() -> None:
    grammar._list_forms.cache_clear()

    said = rephrase("Verschiebe die Stelle bei Acme auf abgelehnt")
    forms = [form for language in LANGUAGES for form in grammar._list_forms(language)]
    compiled = [name for name, _, pattern in forms if "fullmatch" in vars(pattern)]

    assert said == "move the Acme job to rejected"
    assert len(compiled) < len(forms) / 10, compiled


def test_free_sentences_never_store_wrong_data() -> None:
    """`!`: does what it says; `>`: gets the sentence or form that does it; `-`: an honest no."""
    wrong: list[str] = []
    for row in NATURAL:
        wanted, _, text = row.partition("\t")
        english = rephrase(text)
        does = english.startswith("import my ") or is_letter_request(english)
        does = does or isinstance(read_request(english, ALL), Deed)
        got = "!" if does else ">" if suggest(text) else "-"
        wrong += [f"{text}: {got}"] if got != wanted else []
    assert wrong == []
    assert len(NATURAL) >= 195
    assert sum(row[0] in "!>" for row in NATURAL) > 0.8 * len(NATURAL)


SUGGESTED = {
    "add: Nurse, St. Ann Hospital, Leeds, £31k": 'add a job: "Nurse" at "St. Ann Hospital"',
    "Füge bitte einen Job als Koch bei Noma hinzu": 'neue Stelle: "Koch" bei "Noma"',
    "Ajoute un poste de cuisinier chez Noma": 'ajoute un poste : "cuisinier" chez "Noma"',
    "Hab ich mich schon bei Acme beworben?": "zeig meine Stellen bei Acme",
    "Montre-moi mes candidatures": "montre mes postes",
    "Muéstrame mis trabajos": "muestra mis puestos",
    "change the salary of the Acme job to 95k": "update the Acme job, salary max: 95000",
}


def test_the_suggested_sentence_has_the_requests_meaning() -> None:
    offered = {text: getattr(suggest(text), "sentence", None) for text in SUGGESTED}
    assert offered == SUGGESTED


def test_a_request_to_import_is_answered_with_where_to_upload() -> None:
    assert "plainloop import job FILE" in talk().ask("importiere meine Liste")
    assert "plainloop import resume FILE" in talk().ask("importe mon CV")


FILLED = {
    "TITLE": "Cook",
    "COMPANY": "Uno",
    "CITY": "Rome",
    "MIN": "30k",
    "MAX": "35k",
    "NAME": "Anna Weber",
    "NUMBER": "1",
    "STATUS": "applied",
}


@pytest.mark.parametrize(("tool", "sentence"), load_rules().sentences.items())
def test_a_suggested_sentence_with_filled_gaps_is_understood(tool: str, sentence: str) -> None:
    filled = re.sub(r"[A-Z]{3,}", lambda found: FILLED[found[0]], sentence)

    read = read_request(filled, KEEPING)

    assert isinstance(read, Deed)
    assert (read.tool.name, read.missing) == (tool, ())
    assert len(read.arguments) == len(re.findall(r"[A-Z]{3,}", sentence))


def test_a_name_with_punctuation_can_be_stored_if_quoted() -> None:
    conversation = talk()
    reply = conversation.ask("add a job: Cook at Smith, Jones & Co, 30k")
    assert conversation.calls == []
    assert 'Write it like this: “add a job: "Cook" at "Smith' in reply
    conversation.ask('add a job: Cook at "Smith, Jones & Co", 30k')
    made = {"company": "Smith, Jones & Co", "title": "Cook", "salary_min": 30000}
    assert conversation.calls == [("create_job", made)]


@pytest.mark.parametrize(
    ("said", "amount"),
    [
        ("ändere #3, Gehalt: 50.000", 50_000),
        ("change #3, salaire : 50 000", 50_000),
        ("cambia #3, salario: 50.5k", 50_500),
        ("update job #3, salary max: 50,000", 50_000),
        ("update job #3, salary max: 50.000", 50_000),
        ("ändere #3, Gehalt: 50k", 50_000),
    ],
)
def test_an_amount_with_its_countrys_separators_is_stored_as_a_number(
    said: str, amount: int
) -> None:
    deed = read_request(rephrase(said), ALL_TOOLS)
    assert isinstance(deed, Deed)
    assert deed.arguments["salary_max"] == amount
    assert rephrase("ändere #3, Gehalt: 45,50") == "update job #3, salary max: 45.5"


@pytest.mark.parametrize("said", ["5.0.0", "1,2,3", "1.23.456", "....", "5,,0"])
def test_a_value_that_is_no_amount_is_not_rephrased(said: str) -> None:
    assert rephrase(f"ändere #3, Gehalt: {said}") == f"ändere #3, Gehalt: {said}"
