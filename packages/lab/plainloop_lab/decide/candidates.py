"""Many candidates side by side: how good, at which price, how fast, and whom nobody beats."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from plainloop.agent.base.pages.pages import make_pages
from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.dataclasses import asdict, dataclass, field, replace
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.types import INPUT_BUCKETS, TOKEN_BUCKETS, Usage
from plainloop_lab.replay.report.report_files import REPORT_FILE, list_live_report, list_report

from ..comparing.comparison import choose_reference
from ..comparing.measures import BY_NAME
from ..live.lane import CALLS, TurnResult
from ..live.plan import CANDIDATE
from ..report.facts import describe_changes
from ..report.numbers import NONE, format_interval, format_value
from ..report.statistics import get_quantile
from .evidence import collect, find_range
from .outcomes import Side, take_lane
from .proofs import bound_mean
from .rules import Rule, Rules
from .spending import RESOURCES, Amount, format_amount, format_ratio, measure_resources

CONFIDENCE: Final = 0.95
MONTH_DAYS: Final = 30
WIDTH, HEIGHT, MARGIN = 760, 400, 60
_SIZE: Final = 8_000  # tokens; lists begin a price for long calls at a multiple of it
_TICKS: Final = 5  # about so many of an axis
_CHAR_WIDTH: Final = 9.0  # of a label
_LINE_HEIGHT: Final = 17.0


@dataclass(frozen=True, slots=True)
class Row:
    """One candidate. Money is USD for 1,000 conversations; None: a price is not known.

    cold: no token comes from a cache. warm: with the cache as the replay saw it. p50, p95: of a
    turn's time. is_on_front: nobody is better and not dearer.
    """

    name: str
    described: str
    conversations: int
    lost: int
    quality: float
    low: float | None
    high: float | None
    cold_usd: float | None
    warm_usd: float | None
    p50_ms: float | None
    p95_ms: float | None
    no_cost: str = ""  # why money is None
    monthly_usd: float | None = None
    is_on_front: bool = False
    # Cost, time and reasoning tokens of a turn, by name: `spending.RESOURCES`.
    resources: Mapping[str, Amount] = field(default_factory=dict[str, Amount])


@dataclass(slots=True)
class Spending:
    """Tokens of a lane by the model that answered, and how long its turns took.

    tokens: by model and size of a call, with the number of calls: lists charge long ones more for
    each token (test_only_long_calls_have_the_price_of_long_calls), and some charge for the call.
    """

    tokens: dict[tuple[str, int], Counter[str]] = field(
        default_factory=dict[tuple[str, int], Counter[str]]
    )
    durations: list[float] = field(default_factory=list[float])
    unknown: Counter[str] = field(default_factory=Counter[str])  # why turns have no price

    def add(self, turn: TurnResult) -> None:
        """Add the tokens and time of one turn."""
        if turn["duration_ms"] is not None:
            self.durations.append(float(turn["duration_ms"]))
        if turn["calls"] == 0:
            return
        tokens, models = turn["tokens"], turn["models"]
        by_model = turn.get("by_model") or dict.fromkeys(models[:1], tokens)
        if turn["calls"] is None or tokens["output_tokens"] is None:
            self.unknown["without a number of tokens"] += 1
        elif len(by_model) == len(models):
            for model, counts in by_model.items():
                # An older report does not state how many calls each of several models answered.
                calls = counts.get(CALLS) or max(1, turn["calls"] // len(models))
                size = sum(counts.get(name) or 0 for name in INPUT_BUCKETS) // calls // _SIZE
                sums = self.tokens.setdefault((model, size), Counter())
                sums.update({name: counts.get(name) or 0 for name in TOKEN_BUCKETS})
                sums[CALLS] += calls
        else:
            self.unknown["of several models, whose tokens an older report does not state"] += 1

    def price(self, prices: Prices, *, is_cold: bool) -> Decimal | None:
        """Return the cost in USD of the tokens added.

        None if a price is unknown. is_cold: as if no input came from a cache.
        """
        total = Decimal(0)
        for (model, _), sums in self.tokens.items():
            calls = sums[CALLS]
            means: dict[str, Any] = {name: round(sums[name] / calls) for name in TOKEN_BUCKETS}
            usage = Usage(**means)
            if is_cold:
                usage = Usage(input_tokens=usage.input_total, output_tokens=usage.output_total)
            provider, _, name = model.partition(":")
            amount = prices.price(provider, name, usage).amount
            if amount is None:
                return None
            total += amount * calls
        return None if self.unknown else total

    def explain_missing(self, prices: Prices) -> str:
        """Explain why a price is missing.

        "" if none is.
        """
        plain = Usage(input_tokens=1, output_tokens=1)
        names = (model.partition(":") for model in dict.fromkeys(name for name, _ in self.tokens))
        unpriced = [
            f'the price of {provider}:{model} is unknown ([prices."{provider}:{model}"])'
            for provider, _, model in names
            if prices.price(provider, model, plain).amount is None
        ]
        told = [f"{format_count(count, 'turn')} {why}" for why, count in self.unknown.items()]
        return ", ".join([*unpriced, *told])


def compare_candidates(
    places: Sequence[Path], measure: str, rules: Rules, prices: Prices, per_month: int | None
) -> list[Row]:
    """Measure each report's candidate in quality, cost and time.

    The first row is the reference. Candidates that no other one beats in both quality and cost are
    marked.

    Raises: InputError for what is no live report, or does not have the measure.
    """
    rule = _make_rule(measure, rules)
    asked = Rules(gate=rules.gate, check=rules.check, rule=(rule,))
    rows: list[Row] = []
    today: Side = {}
    for place in places:
        head, _ = list_live_report(place)
        lanes = [CANDIDATE] if rows else [choose_reference([*head["lanes"]]), CANDIDATE]
        for lane in lanes:
            name = place.name if lane == CANDIDATE else lane
            described = describe_changes(head["lanes"][lane]) if lane in head["lanes"] else ""
            row, side = _measure_lane(place, lane, name, described, rule, asked, prices, today)
            rows.append(row)
            today = today or side
    if per_month is not None:
        rows = [
            row
            if row.warm_usd is None
            else replace(row, monthly_usd=row.warm_usd * per_month / 1_000)
            for row in rows
        ]
    return [replace(row, is_on_front=is_on_front(row, rows, rule.direction)) for row in rows]


def _make_rule(measure: str, rules: Rules) -> Rule:
    """Make a rule that only says which direction and range the measure has."""
    own = next((rule for rule in rules.rule if rule.measure == measure), Rule(measure=measure))
    bounds = own.range or ((0.0, 1.0) if measure in rules.check else None)
    if own.direction < 0:
        return Rule(measure=measure, at_most=0.0, range=bounds)
    return Rule(measure=measure, at_least=0.0, range=bounds)


def _measure_lane(
    place: Path,
    lane: str,
    name: str,
    described: str,
    rule: Rule,
    rules: Rules,
    prices: Prices,
    today: Side,
) -> tuple[Row, Side]:
    """Measure one variant of a report; return its row and its outcomes by conversation.

    today: the first row's conversations, which others are compared with; {}: this is the first row.
    """
    spending = Spending()
    side: Side = {}
    for found in list_live_report(place)[1]:
        outcome = take_lane(found, lane, rules)
        if outcome is None:
            continue
        own = Spending()
        for turn in found["turns"]:
            if lane in turn["lanes"]:
                spending.add(turn["lanes"][lane])
                own.add(turn["lanes"][lane])
        usd = own.price(prices, is_cold=False)
        priced = replace(outcome, cost_usd=None if usd is None else float(usd))
        side[outcome.conversation_id] = priced
    evidence = collect(rule, None, side)
    sums = [(pair.total, pair.units) for pair in evidence.pairs]
    units = sum(count for _, count in sums)
    quality = float(sum((total for total, _ in sums), Fraction(0)) / units)
    tail = (1 - CONFIDENCE) / 2
    bounds = find_range(rule, [*side.values()])
    low = None if bounds is None else bound_mean(sums, float(bounds[0]), tail)
    mirrored = [(-total, count) for total, count in sums]
    high = None if bounds is None else -bound_mean(mirrored, -float(bounds[1]), tail)
    durations = sorted(spending.durations)
    priced = (spending.price(prices, is_cold=is_cold) for is_cold in (True, False))
    lost = sum(outcome.is_lost for outcome in side.values())
    # An answer that failed is not cheap: what costs nothing has no part in the mean.
    answered = len(side) - lost
    cold, warm = (
        None if usd is None or not answered else float(usd * 1_000 / answered) for usd in priced
    )
    row = Row(
        name=name,
        described=described,
        conversations=len(side),
        lost=lost,
        quality=quality,
        low=low,
        high=high,
        cold_usd=cold,
        warm_usd=warm,
        p50_ms=get_quantile(durations, 0.5) if durations else None,
        p95_ms=get_quantile(durations, 0.95) if durations else None,
        no_cost=spending.explain_missing(prices) if answered else "no conversation was answered",
        resources=measure_resources(today, side),
    )
    return row, side


def is_on_front(row: Row, rows: Sequence[Row], direction: int = 1) -> bool:
    """Whether a candidate is on the Pareto front of quality and cost.

    No other candidate is then as good and as cheap, and better in one. No without a known cost.
    direction: -1 if a lower quality is better, as of errors.
    """
    if row.warm_usd is None:
        return False
    gains = ((other, direction * (other.quality - row.quality)) for other in rows)
    return not any(
        other.warm_usd is not None
        and (gain >= 0 and other.warm_usd <= row.warm_usd)
        and (gain > 0 or other.warm_usd < row.warm_usd)
        for other, gain in gains
    )


def render_rows(rows: Sequence[Row], measure: str, unit: str) -> list[str]:
    """Render the comparison of candidates as lines of a table."""
    table = [["", measure, "95%", "cold", "warm", "a month", "p50", "p95"]]
    for row in rows:
        money = (row.cold_usd, row.warm_usd, row.monthly_usd)
        table.append(
            [
                f"{row.name}{' *' if row.is_on_front else ''}",
                format_value(row.quality, unit),
                format_interval({"low": row.low, "high": row.high}, unit),
                *map(format_money, money),
                *(format_value(value, "ms") for value in (row.p50_ms, row.p95_ms)),
            ]
        )
    widths = [max(map(len, column)) + 2 for column in zip(*table, strict=True)]
    lines = [
        f"{cells[0]:<{widths[0]}}"
        + "".join(f"{text:>{size}}" for text, size in zip(cells[1:], widths[1:], strict=True))
        for cells in table
    ]
    return [
        *lines,
        "",
        *render_resources(rows),
        "",
        "cold, warm: USD for 1,000 conversations, without and with the cache",
        "*: no other candidate is at least as good and cheaper",
        *(f"{row.name} has no cost: {row.no_cost}" for row in rows if row.no_cost),
    ]


def render_resources(rows: Sequence[Row]) -> list[str]:
    """Render each candidate's resources per turn, and their ratio to the first row's."""
    table = [["a turn (95%)", *(title for title, _ in RESOURCES.values())]]
    for row in rows:
        own = {name: row.resources.get(name) for name in RESOURCES}
        table.append([row.name, *(format_amount(name, own[name]) for name in RESOURCES)])
        if any(amount and amount["ratio"] is not None for amount in own.values()):
            table.append([f"  of {rows[0].name}", *map(format_ratio, own.values())])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(cell.ljust(size) for cell, size in zip(cells, widths, strict=True)).rstrip()
        for cells in table
    ]


def render_page(rows: Sequence[Row], measure: str, unit: str, per_month: int | None) -> str:
    """Render the comparison of candidates as an HTML page."""
    filters = {
        "value": format_value,
        "count_of": format_count,
        "money": format_money,
        "amount": format_amount,
        "of_first": format_ratio,
    }
    pages = make_pages(Path(__file__).with_name("templates"), filters)
    return pages.get_template("compare.html").render(
        rows=rows,
        measure=BY_NAME[measure].title if measure in BY_NAME else measure,
        unit=unit,
        per_month=per_month,
        resources=RESOURCES,
        plot=build_plot(rows),
    )


def to_json(rows: Sequence[Row], measure: str, per_month: int | None) -> dict[str, Any]:
    """Convert the comparison of candidates to JSON."""
    return {
        "measure": measure,
        "conversations_per_month": per_month,
        "candidates": [asdict(row) for row in rows],
    }


def build_plot(rows: Sequence[Row]) -> dict[str, Any] | None:
    """Compute the positions of the candidates in the chart of quality against cost.

    None for fewer than two points.
    """
    shown = [row for row in rows if row.warm_usd is not None]
    if len(shown) < 2:
        return None
    money = list_ticks(0.0, max(row.warm_usd or 0.0 for row in shown) * 1.1 or 1.0)
    most = money[-1]
    lows = [row.quality if row.low is None else row.low for row in shown]
    highs = [row.quality if row.high is None else row.high for row in shown]
    levels = list_ticks(min(lows), max(highs))
    bottom, top = levels[0], levels[-1]

    def get_x(usd: float) -> float:
        return round(MARGIN + usd / most * (WIDTH - 2 * MARGIN), 1)

    def get_y(quality: float) -> float:
        share = (quality - bottom) / (top - bottom)
        return round(HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN), 1)

    points: list[dict[str, Any]] = [
        {
            "name": row.name,
            "x": get_x(row.warm_usd or 0.0),
            "y": get_y(row.quality),
            "low": get_y(low),
            "high": get_y(high),
            "is_on_front": row.is_on_front,
            "is_right": get_x(row.warm_usd or 0.0) > WIDTH * 0.7,
        }
        for row, low, high in zip(shown, lows, highs, strict=True)
    ]
    _place_labels(points)
    front = sorted(
        (point for point in points if point["is_on_front"]), key=lambda point: point["x"]
    )
    decimals = max(2 if money[1] < 1 else 0, -math.floor(math.log10(money[1])))
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "margin": MARGIN,
        "points": points,
        "front": " ".join(f"{point['x']},{point['y']}" for point in front),
        "x_ticks": [(get_x(usd), f"${usd:,.{decimals}f}") for usd in money],
        "y_ticks": [(get_y(level), level) for level in levels],
    }


def _place_labels(points: Sequence[dict[str, Any]]) -> None:
    """Set each label's position below its point and below the labels placed before."""
    placed: list[tuple[float, float, float]] = []
    for point in points:
        width = _CHAR_WIDTH * len(point["name"])
        left = point["x"] - width if point["is_right"] else point["x"]
        y = point["y"] + _LINE_HEIGHT
        while any(
            abs(y - other) < _LINE_HEIGHT and left < end and begin < left + width
            for begin, end, other in placed
        ):
            y += _LINE_HEIGHT
        placed.append((left, left + width, y))
        point["label_y"] = round(y, 1)


def list_ticks(low: float, high: float) -> list[float]:
    """List round numbers that enclose both values, for an axis.

    >>> list_ticks(0.48, 1.0), list_ticks(0, 9.9)
    ([0.4, 0.6, 0.8, 1.0], [0.0, 2.0, 4.0, 6.0, 8.0, 10.0])
    """
    rough = (high - low or 1.0) / _TICKS
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(step * n, 12) for n in range(first, max(last, first + 1) + 1)]


def format_money(usd: float | None) -> str:
    """Format USD with two digits, or with four below a dollar.

    None becomes a dash.

    >>> format_money(1234.5), format_money(0.0042), format_money(0.0)
    ('$1,234.50', '$0.0042', '$0.00')
    """
    if usd is None:
        return NONE
    return f"${usd:,.2f}" if usd >= 1 or not usd else f"${usd:,.4f}"


def choose_measure(places: Sequence[Path], rules: Rules) -> str:
    """Choose the measure that stands for quality in a comparison of candidates.

    It is the first rule's measure, else the best one that the first report has. That is the judge's
    verdict, the evaluator's, then the called tools.
    """
    if rules.rule:
        return rules.rule[0].measure
    seen: set[str] = set()
    for found in list_report(places[0] / REPORT_FILE)[1]:
        for turn in found["turns"]:
            seen.update(turn["measures"].get(CANDIDATE, {}))
    names = ("judged", "review_passed", "same_arguments", "failed")
    return next((name for name in names if name in seen), "same_arguments")


def get_unit(measure: str) -> str:
    """Return the unit of a measure.

    It is "share" for a check that the user's program defines.
    """
    known = BY_NAME.get(measure)
    return known.unit if known is not None else "share"
