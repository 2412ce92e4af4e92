"""Answers sentences as triage answered earlier ones with other names, and learns from triage.

A template answers once triage has agreed on it and never disagreed, and only what the user's rows
know: a name that is in none of them is a model's. A share of its answers is asked of triage all the
same; whenever triage is asked, every template that fits is held against what it says.
"""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, Final

from ...base.messages.contents import get_text, list_files
from ...base.tokens.estimate import estimate_request_tokens
from ...config.settings import Settings
from ...core.context import RequestContext
from ...dataclasses import dataclass, replace
from ...store.learned.votes import (
    TIMES_NEEDED,
    TemplateMatch,
    Vote,
    build_use,
    build_vote,
    drop_templates,
    find_templates,
    from_rows,
)
from ...types import ChatRequest, Message, Record, Update
from ..queries import build_known_query
from ..rules import load_rules
from .templates import (
    Known,
    Reading,
    Sentence,
    Template,
    make_template,
    read_by_template,
    read_sentence,
)

RULE: Final = "learned."  # what names of rules begin with
FIRST_AUDIT: Final = 5  # of its answers is asked of triage; then one in 1 / audit_share
NO_MODEL: Final = "offline"  # the stand-in: it is no triage to learn from


@dataclass(frozen=True, slots=True)
class Fitting:
    """A learned template that matches the sentence and whose names exist in the user's rows."""

    match: TemplateMatch
    reading: Reading

    @property
    def rule(self) -> str:
        return RULE + make_template_id(self.match.template)


class Memory(Record, frozen=True):
    """The learned templates that match a message, looked up before triage is called.
    answer: the template to answer by, if certain. sentence: None if nothing is to be learned.
    """

    sentence: Sentence | None
    is_within: bool
    fitting: tuple[Fitting, ...] = ()
    answer: Fitting | None = None

    def use(
        self, asked: Message, request: ChatRequest, ctx: RequestContext
    ) -> tuple[Update, str | None]:
        """Return the state update and next node by which a learned answer replaces triage's call.
        The fast path's result decides whether the saving is recorded. request: triage's, which is
        not made.
        """
        assert self.answer is not None
        reading, rule = self.answer.reading, self.answer.rule
        if reading.query is None:
            saved = estimate_request_tokens(request.system, request.messages)
            ctx.journal.avoid("classifier", f"remembered triage {rule}", saved)
            result = {"worker": reading.worker, "rule": rule}
            return {"success_criteria": reading.criteria, "result": result}, None
        update: Update = {
            "fast_intent": reading.intent,
            "entity_type": reading.entity,
            "query": reading.query,
            "result": {"language": load_rules().guess_language(get_text(asked)), "rule": rule},
        }
        return update, f"fast_{reading.intent}"

    async def learn(self, update: Update, ctx: RequestContext) -> None:
        """Learn from triage's answer: vote for one template and drop those that contradict it."""
        reading = _to_reading(update)
        if self.sentence is None or reading is None or is_stand_in(ctx):
            return
        if reading.worker and ctx.pack.get_worker(reading.worker) is None:
            return
        pack, wrong = ctx.pack.name, list[Fitting]()
        for one in self.fitting:
            if not one.reading.is_same(reading):
                wrong.append(one)
        if wrong:
            rules = ", ".join(one.rule for one in wrong)
            ctx.journal.note(f"triage disagrees with {rules}: it is not used any more")
            db = ctx.store.read(ctx.tenant_id)
            await drop_templates(db, pack, [one.match.template for one in wrong])
        template = make_template(self.sentence, reading)
        if template is None:
            return
        # Where the user's votes of this kind are enough, nothing need be written.
        for one in self.fitting:
            own = one.match.own_within if self.is_within else one.match.own
            if one.match.template == template.text and own >= TIMES_NEEDED:
                return
        # Drop a template that does not match its own sentence: it would never answer.
        if read_by_template(template, self.sentence, ctx.pack) is None:
            return
        vote = make_vote(template, is_within=self.is_within)
        run, most = (ctx.thread_id, ctx.run.run_id), ctx.limits.learned_votes
        ctx.journal.learn(build_vote(ctx.user_id, pack, vote, run, most))


async def recall(
    asked: Message, request: ChatRequest, ctx: RequestContext, *, is_reply: bool, is_settled: bool
) -> Memory:
    """Look up the learned templates that match a message, and the answer they agree on.

    request: triage's; beyond the message it shows what was said before. is_reply: the assistant has
    asked, so that the message may mean anything. is_settled: triage is asked whatever is known.
    """
    is_within = len(request.messages) > 1
    sentence = read_message_sentence(asked, ctx.settings)
    if sentence is None or is_reply:
        return Memory(None, is_within)
    db = ctx.store.read(ctx.tenant_id)
    if (brought := ctx.run.templates) is not None:
        matches = from_rows(brought)
    else:
        words = (sentence.plain, sentence.opening)
        matches = await find_templates(db, ctx.user_id, ctx.pack.name, *words)
    fitting, known = list[Fitting](), list[Known]()
    for one in matches:
        template = Template(one.template, one.answer, one.criteria)
        if reading := read_by_template(template, sentence, ctx.pack):
            fitting.append(Fitting(one, reading))
            known += reading.known
    if known:  # those whose names the user's rows have
        names = [(item.entity, item.field, item.value) for item in known]
        sql, args = build_known_query(names, ctx.tenant_id, ctx.user_id)
        has = dict(zip(map(id, known), await db.fetchval(sql, *args), strict=True))
        fitting = [one for one in fitting if all(has[id(item)] for item in one.reading.known)]
    memory, agreed = Memory(sentence, is_within, tuple(fitting)), list[Fitting]()
    for one in fitting:
        if one.match.is_agreed(is_within=is_within):
            agreed.append(one)
    if is_settled or not agreed:
        return memory
    # Include templates without agreement yet: a second reading makes the sentence ambiguous.
    if any(not one.reading.is_same(agreed[0].reading) for one in fitting):
        ctx.journal.note("earlier triage answers allow two readings: triage is called")
        return memory
    best = agreed[0]
    # Of runs at the same moment several may have one number: as many are asked as without.
    uses = best.match.uses + 1
    ctx.journal.learn(build_use(best.match.vote_id))
    if not is_stand_in(ctx) and is_audited(uses, ctx.settings.agent.audit_share):
        ctx.journal.note(
            f"{best.rule} is checked by calling triage: this is its answer number {uses}"
        )
        return memory
    ctx.journal.note(f"{best.rule} answers as triage did: {describe_origin(best.match)}")
    return replace(memory, answer=best)


def read_message_sentence(asked: Message, settings: Settings) -> Sentence | None:
    """Parse a message to look up learned templates; None if they cannot apply."""
    if not settings.agent.remember or list_files(asked):
        return None
    return read_sentence(get_text(asked))


def is_audited(uses: int, share: float) -> bool:
    """Whether triage must verify the `uses`-th use of a learned template.

    It verifies the fifth use, then every (1 / share)-th one.

    >>> [n for n in range(1, 120) if is_audited(n, 0.02)], is_audited(5, 0)
    ([5, 55, 105], False)
    """
    if share <= 0:
        return False
    every = max(1, round(1 / share))
    return (uses - FIRST_AUDIT) % every == 0


def describe_origin(template: TemplateMatch) -> str:
    """Describe a learned template: its text, how often it was confirmed, since when.

    >>> vote_id, votes = "01a20264-c24c-7000-8000-000000000000", (3, 0, 1, 0, False, False)
    >>> describe_origin(TemplateMatch("hi", {}, "", vote_id, *votes))
    '“hi”, 3 times for you, first on 2026-11-22'
    """
    uses = (
        [f"{template.own + template.own_within} times for you"]
        if template.own + template.own_within
        else []
    )
    if template.users > 1:
        uses.append(f"for {template.users} users")
    if template.is_imported:
        uses.append("imported")
    day = datetime.fromtimestamp(int(template.vote_id.replace("-", "")[:12], 16) / 1000, UTC).date()
    return f"“{template.template}”, {', '.join(uses)}, first on {day}"


def make_template_id(template: str) -> str:
    """Derive a learned template's short id from its text, equal on every machine.

    >>> make_template_id("jobs at {jobs.company}")
    '36f78b9577'
    """
    return blake2b(template.encode(), digest_size=5).hexdigest()


def make_vote(template: Template, *, is_within: bool) -> Vote:
    text, criteria = template.text, template.criteria
    return Vote(
        text, template.pattern, template.opening, dict(template.answer), criteria, is_within
    )


def is_stand_in(ctx: RequestContext) -> bool:
    """Whether requests are classified by the offline provider's rules, not by a model."""
    return ctx.models.resolve("classifier").provider == NO_MODEL


def _to_reading(update: Update) -> Reading | None:
    """Convert triage's state update to a reading; None if it names neither a query nor a worker."""
    intent, entity, query = (update.get(name) for name in ("fast_intent", "entity_type", "query"))
    if intent and entity and query:
        return Reading(intent, entity, query, "", "", ())
    result: Any = update.get("result") or {}
    if not result.get("worker"):
        return None
    return Reading(None, "", None, str(result["worker"]), update.get("success_criteria", ""), ())
