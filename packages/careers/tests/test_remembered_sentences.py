"""The kept sentences, each told to triage by three users, need it no more with other names.

And nothing that only looks like them is answered without it. A sample by default, all of them by
`PLAINLOOP_REMEMBERED=all`, which takes four minutes.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any, Final

import pytest

from packages.careers.tests.sentences import LANGUAGES, Sentence, list_texts, load_sentences
from packages.careers.tests.test_intent_languages import JOINTS
from packages.rules.tests.test_intent_rules import parse_label
from plainloop.agent.base.time.periods import parse_period
from plainloop.agent.config.settings import Settings
from plainloop.agent.intents.proposals import validate_fast_query
from plainloop.agent.types import FastQuery, Filter
from plainloop_careers.entities import ENTITIES
from tests.routers.remembering import TENANT, Office, SortingBrain, fast, open_office, worker
from tests.wire_fixtures import StartWire

IS_WHOLE: Final = os.environ.get("PLAINLOOP_REMEMBERED") == "all"
TAUGHT, TRAPS = (10_000, 300) if IS_WHOLE else (6, 8)  # of each language
USERS: Final = ("ann", "ben", "eve")  # who teach; then another asks
ASKER: Final = "dan"
NAMES: Final = (  # of each user's sentence: its first name, its second one, …
    ("Quillmark", "Tormund", "Elsgate"),
    ("Brennhaus Logistik", "Zinnwald", "Karsberg"),
    ("Vidra & Sons", "Purley", "Oxmoor"),
    ("Ostermoor Textil", "Weaver", "Halsund"),
)
SPECS: Final = {entity.name: entity for entity in ENTITIES}
NAMED: Final = {"jobs": "company", "contacts": "name", "companies": "name", "documents": "title"}
SIGNS: Final = {"contains": "", "eq": "", "gte": ">= ", "lte": "<= "}
ENGLISH_JOINTS: Final = ["and delete them", "or not", "but not", "zqxj", "because", "if"]
AND: Final = {"english": "and", "german": "und", "spanish": "y", "french": "et"}


@dataclass(frozen=True)
class Said:
    """A sentence with a user's own names, and what it asks for. query: as its label has it."""

    text: str
    intent: str
    entity: str
    query: FastQuery

    @property
    def answer(self) -> dict[str, Any]:
        """Triage's: a worker where filters cannot say every condition."""
        query = self.query
        said = {
            name_field(self.entity, item): f"{SIGNS.get(item['op'], '?')}{item['value']}"
            for item in query["filters"]
        }
        answer = fast(self.intent, self.entity, **said)
        is_plain = not (query["order_by"] or query["limit"] or any("?" in v for v in said.values()))
        is_known = is_plain and validate_fast_query(SPECS[self.entity], answer) is not None
        return answer if is_known else worker("crm_worker")

    def is_answered_by(self, update: dict[str, Any]) -> bool:
        """Whether a rule answers as the label says, and memory as triage does."""
        result, query = update.get("result") or {}, update.get("query")
        if not result["rule"].startswith("learned."):
            wanted = self.query
        elif self.answer["fast_intent"] == "none":
            return result.get("worker") == self.answer["worker"]
        else:
            wanted = validate_fast_query(SPECS[self.entity], self.answer)
        path = (update["fast_intent"], update["entity_type"])
        return path == (self.intent, self.entity) and self._compare(query) == self._compare(wanted)

    def _compare(self, query: Any) -> Any:
        filters = {
            (name_field(self.entity, f), f["op"], str(f["value"]).casefold())
            for f in query["filters"]
        }
        return filters, query["order_by"], query["descending"], query["limit"]


def name_field(entity: str, item: Filter) -> str:
    return {"*": NAMED[entity], "#": "id", "created": "created_at"}.get(
        item["field"], item["field"]
    )


def say(sentence: Sentence, names: tuple[str, ...]) -> Said:
    """The sentence with these names instead of its own, as it spells names."""
    intent, entity, query = parse_label(sentence.label)
    text, filters, unused = sentence.text, list[Filter](), list(names)
    for item in query["filters"]:
        if item["field"] == "salary_min":
            item = {**item, "value": int(str(item["value"]))}
        own = str(item["value"])
        spelt = re.compile(rf"(?<!\w){re.escape(own)}(?!\w)".replace("'", "['’]"), re.I)
        found = spelt.findall(text)
        if item["op"] == "contains" and len(found) == 1:
            new = unused.pop(0)
            new = new.lower() if found[0].islower() else new
            text, item = spelt.sub(new, text), {**item, "value": new}
        filters.append(item)  # type: ignore[arg-type]
    return Said(text, intent, entity, {**query, "filters": filters})


def make_row(said: Said, number: int) -> tuple[str, dict[str, Any], datetime]:
    """The table, a row that the sentence finds, and when that was stored and got its status."""
    row: dict[str, Any] = {
        "jobs": {
            "company": f"Firm {number}",
            "title": "Clerk",
            "url": f"https://firm.example/{number}",
            "salary_min": 50_000,
        },
        "contacts": {"name": f"Person {number}", "email": f"p{number}@firm.example"},
        "companies": {"name": f"Firm {number}"},
        "documents": {"title": f"Letter {number}", "kind": "other"},
    }[said.entity]
    at = datetime.now(UTC)
    for item in said.query["filters"]:
        name, value = name_field(said.entity, item), item["value"]
        if item["op"] in ("in", "since"):
            first, _ = parse_period(str(value), date.today())
            at = datetime.combine(first, time(0), UTC)
        elif name == "created_at":
            at = datetime.combine(date.fromisoformat(str(value)), time(0), UTC)
        elif SPECS[said.entity].get_field(name) is not None:
            row[name] = int(value) if name in ("salary_min", "job_fit") else value
    return SPECS[said.entity].table, row, at


async def add_rows(office: Office, given: Iterable[tuple[str, Said]]) -> None:
    async with office.service.store.transaction(TENANT) as tx:
        for number, (user, said) in enumerate(given, 1):
            table, row, at = make_row(said, number)
            own = SPECS[said.entity].id_column
            full = {"tenant_id": TENANT, "user_id": user, own: number, "created_at": at, **row}
            marks = ", ".join(f"${i}" for i in range(1, len(full) + 1))
            sql = f"insert into {table} ({', '.join(full)}) values ({marks}) on conflict do nothing"
            await tx.execute(sql, *full.values())
            if said.entity == "jobs":
                sql = "insert into careers_job_stages values ($1, $2, $3, $4, $5)"
                await tx.execute(sql, TENANT, number, row.get("status", "saved"), user, at)


def draw_traps(language: str, taught: list[Sentence], draw: random.Random) -> list[str]:
    """What only a model can answer: kept ones, and kept questions that go on, or are two."""
    kept = list_texts(language, "model")
    told = [sentence.text.rstrip("?!. ") for sentence in taught]
    goes_on = [
        f"{text} {joint}"
        for text in told
        for joint in {**JOINTS, "english": ENGLISH_JOINTS}[language]
    ]
    doubled = [f"{text} {AND[language]} {draw.choice(told)}" for text in told]
    share = TRAPS // 4
    built = [
        *draw.sample(goes_on, min(share, len(goes_on))),
        *draw.sample(doubled, min(share, len(doubled))),
    ]
    return [*draw.sample(kept, min(len(kept), TRAPS - len(built))), *built]


@pytest.fixture
async def office(settings: Settings, wire_server: StartWire) -> AsyncIterator[Office]:
    brain = SortingBrain()
    server = await wire_server(brain)
    async with open_office(settings, server.base_url, brain) as office:
        yield office


async def test_only_learned_sentences_are_answered_without_triage(office: Office):
    draw = random.Random(1)
    labelled = {name: [s for s in load_sentences(name) if s.label] for name in LANGUAGES}
    taught = {name: draw.sample(all_, min(TAUGHT, len(all_))) for name, all_ in labelled.items()}
    sentences = [sentence for told in taught.values() for sentence in told]
    spoken = [[say(sentence, names) for names in NAMES] for sentence in sentences]
    users = (*USERS, ASKER)
    answers = {said.text: said.answer for variants in spoken for said in variants}
    office.brain.sort = lambda text, _: answers.get(text) or worker()
    await add_rows(office, ((u, said) for v in spoken for u, said in zip(users, v, strict=True)))
    for *variants, _ in spoken:
        for user, said in zip(USERS, variants, strict=True):
            await office.ask(said.text, user)

    asking, wrong = list[str](), list[str]()
    for *_, said in spoken:
        before = len(office.brain.asked)
        told = await office.ask(said.text, ASKER)
        if len(office.brain.asked) > before:
            asking.append(said.text)
        elif not said.is_answered_by((await office.load_steps(told))[0].update):  # type: ignore[arg-type]
            wrong.append(said.text)
    traps = [trap for name in LANGUAGES for trap in draw_traps(name, taught[name], draw)]
    answered = [trap for trap in dict.fromkeys(traps) if await office.is_free(trap, ASKER)]

    share = 1 - len(asking) / len(spoken)
    print(f"\n{len(spoken)} sentences taught: {share:.1%} need no model, {len(wrong)} wrong")
    print(f"{len(set(traps))} sentences for a model: {len(answered)} answered without one")
    assert (wrong, answered) == ([], [])
    assert share >= 0.95, asking
