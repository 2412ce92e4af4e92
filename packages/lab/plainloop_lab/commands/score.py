"""`plainloop score`: buy what checks against expected answers need of a model, each pair once."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from plainloop.agent.base.tokens.estimate import estimate_tokens
from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.cli.terminal.serving import open_service
from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.core.context import RequestContext
from plainloop.agent.core.embedding import choose_embedder, embed_texts
from plainloop.agent.core.llm import ModelCall, call_model
from plainloop.agent.errors import InputError
from plainloop.agent.providers.pricing import Prices

from ..decide.expected.references import References, Score, read_references
from ..decide.expected.scoring import (
    MAX_TOKENS,
    Pair,
    build_request,
    doubt_judge,
    list_accepted,
    list_pairs,
    make_controls,
    measure_similarity,
    read_verdict,
    to_text,
)
from ..decide.outcomes import list_turns
from ..decide.rules import Rules, read_rules
from ..live.plan import make_judge
from ..live.spend_limit import SpendLimitReached, make_unpriced_stop
from .gate import find_place
from .options import Scoring


async def score(path: Path, scoring: Scoring) -> int:
    """Score answers against expected ones with a model, and append the scores to a file.

    Pairs that the file already has are skipped. Returns the exit code: 1 if the judge cannot be
    believed.
    """
    rules, owner, target = read_rules(path), Owner(scoring.tenant_id), scoring.output
    known = read_references(scoring.expected, *list_existing(target))
    with tempfile.TemporaryDirectory() as folder:
        pairs = [
            pair
            for text in scoring.candidate
            for pair in list_all_pairs(await find_place(owner, text, Path(folder)), rules, known)
        ]
    if not pairs:
        raise InputError(
            "no rule needs a scored answer, or there are no expected answers",
            hint="Write `facts = true` or `similar = 0.8` in a check, and use --expected FILE.",
        )
    facts = [pair.expected for pair, _ in pairs if pair.kind == "facts"]
    pairs += [(pair, "") for pair in make_controls(facts)]
    done = {(item.key, item.control) for item in (*known.scores.values(), *known.controls)}
    left = {(pair.key, pair.control): (pair, user) for pair, user in pairs}
    left = {key: item for key, item in left.items() if key not in done}
    judge = make_judge(scoring.judge, None).settings if scoring.judge else {}
    settings = load_settings({**os.environ, **judge})
    await asyncio.to_thread(open_target, target)  # before anything is paid
    limit = None if scoring.max_cost_usd is None else Decimal(str(scoring.max_cost_usd))
    async with open_service(settings) as service:
        opened = service.open_context(service.pack, owner.tenant_id, owner.user_id)
        async with opened as ctx:
            scorer = Scorer(ctx, settings, limit, target)
            for pair, user in left.values():
                await scorer.score(pair, user)
    found = read_references(scoring.expected, target)
    output.write_line(f"{len(left):,} scores bought, {len(pairs) - len(left):,} known: {target}")
    output.write_line(f"cost at most ${scorer.spent_usd:.4f}")
    doubt = doubt_judge(found.controls) if facts else ""
    if facts:
        output.write_line(doubt or "nothing speaks against the judge of facts")
    return 1 if doubt else 0


def open_target(target: Path) -> None:
    """Create the file of scores and its folder if they are missing.

    Raises: InputError.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.open("ab").close()
    except OSError as error:
        raise InputError(
            f"cannot write {target}: {error.strerror}",
            hint="With --output, name a file that you can write to.",
        ) from error


def list_existing(target: Path) -> list[Path]:
    """List the file of scores if it exists, else nothing."""
    return [target] if target.exists() else []


def list_all_pairs(place: Any, rules: Rules, known: References) -> Iterator[tuple[Pair, str]]:
    """Yield each (answer, expected) pair that a model must score, with the user's request."""
    for turns, expected, users in list_turns(place, known):
        asked = {turn["text"]: user for turn, user in zip(turns, users, strict=True)}
        for pair in list_pairs(rules, turns, expected):
            yield pair, asked.get(pair.answer, users[-1])


class Scorer:
    """Asks models, one pair after the other, and appends each score as it comes."""

    def __init__(
        self, ctx: RequestContext, settings: Settings, limit: Decimal | None, target: Path
    ) -> None:
        self._ctx = ctx
        self._prices = Prices(settings.prices)
        self._limit = limit
        self._target = target
        self.spent_usd = Decimal(0)

    async def score(self, pair: Pair, user: str) -> None:
        """Score one pair with a model and append the score to the file.

        Raises: SpendLimitReached, ModelError.
        """
        ask = self._ask_judge if pair.kind == "facts" else self._embed
        by, value = await ask(pair, user)
        line = msgspec.json.encode(Score(pair.kind, pair.key, by, value, pair.control))
        with self._target.open("ab") as file:
            file.write(line + b"\n")

    async def _ask_judge(self, pair: Pair, user: str) -> tuple[str, float | None]:
        request = build_request(user, pair)
        handle = self._ctx.models.resolve("evaluator")
        text = request.system + to_text(request.messages)
        self._reserve(handle.provider, handle.model, text, MAX_TOKENS)
        response = await call_model(
            ModelCall("evaluator", request, [], request.messages), self._ctx
        )
        return handle.label, read_verdict(response.text)

    async def _embed(self, pair: Pair, user: str) -> tuple[str, float | None]:
        handle = choose_embedder(self._ctx)
        texts = [pair.answer, *map(to_text, list_accepted(pair.expected))]
        self._reserve(handle.provider, handle.model, "".join(texts), 0)
        first, *others = await embed_texts(texts, self._ctx)
        return handle.label, max(measure_similarity(first, other) for other in others)

    def _reserve(self, provider: str, model: str, text: str, output_tokens: int) -> None:
        """Add an upper bound of the call's cost to the amount spent, before the call.

        Raises: SpendLimitReached.
        """
        most = self._prices.price_bound(provider, model, estimate_tokens(text), output_tokens)
        if most is None and self._limit is not None:
            raise make_unpriced_stop(f"{provider}:{model}")
        if self._limit is not None and self.spent_usd + (most or 0) > self._limit:
            raise SpendLimitReached(
                f"the next score could exceed the limit of ${self._limit}: earlier scores cost "
                f"at most ${self.spent_usd:.4f}",
                hint="The same command continues with a higher --max-cost-usd.",
            )
        self.spent_usd += most or 0
