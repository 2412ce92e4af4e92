"""A report's numbers as people read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.types import INPUT_BUCKETS, OUTPUT_BUCKETS

NONE: Final = "–"
LIKELY: Final = 0.05  # adjusted; below it a difference is called more than noise


def format_value(value: float | None, unit: str) -> str:
    """Format a measure's value in its unit.

    None becomes a dash.

    >>> format_value(0.876, "share"), format_value(1234.4, "tokens"), format_value(0.25, "ratio")
    ('88%', '1,234', '0.25')
    >>> format_value(2345.0, "ms"), format_value(0.00123, "usd"), format_value(None, "usd")
    ('2.35 s', '$0.0012', '–')
    """
    if value is None:
        return NONE
    match unit:
        case "share":
            return f"{value:.1%}" if 0 < value < 0.01 or 0.99 < value < 1 else f"{value:.0%}"
        case "ratio":
            return f"{value:.2f}"
        case "tokens":
            return f"{value:,.0f}"
        case "usd":
            return f"${value:,.4f}" if value >= 0 else f"−${-value:,.4f}"
        case "ms":
            return f"{value:,.0f} ms" if abs(value) < 1000 else f"{value / 1000:,.2f} s"
        case _:
            return f"{value:,.2f}"


def format_turn_value(value: float, unit: str) -> str:
    """Format the value of one turn.

    A share becomes yes or no, a count a whole number.

    >>> format_turn_value(1.0, "share"), format_turn_value(2.0, "count")
    ('yes', '2')
    """
    if unit == "share":
        return "yes" if value else "no"
    return f"{value:.0f}" if unit == "count" else format_value(value, unit)


def format_difference(value: float | None, unit: str) -> str:
    """Format a difference with its sign, in the measure's unit.

    Shares are in percentage points.

    >>> format_difference(-0.12, "share"), format_difference(0.0, "usd")
    ('−12 pp', '±0')
    """
    if value is None:
        return NONE
    if unit == "share":
        points = abs(value) * 100
        text = f"{points:.1f} pp" if points < 10 else f"{points:.0f} pp"
    else:
        text = format_value(abs(value), unit)
    if abs(value) < 1e-12:
        return "±0"
    return f"{'+' if value > 0 else '−'}{text}"


def format_interval(found: dict[str, Any], unit: str, *, is_difference: bool = False) -> str:
    """Format an interval as `low … high`.

    "" if it is unknown.
    """
    if found["low"] is None:
        return ""
    show = format_difference if is_difference else format_value
    return f"{show(found['low'], unit)} … {show(found['high'], unit)}"


def describe_tokens(tokens: Mapping[str, Any]) -> str:
    """Describe input and output tokens in words.

    >>> describe_tokens({"input_tokens": 1200, "cache_read_tokens": 300, "output_tokens": None})
    '1,500 in + 0 out tokens'
    """
    sent, came = (
        sum(tokens.get(name) or 0 for name in names) for names in (INPUT_BUCKETS, OUTPUT_BUCKETS)
    )
    return f"{sent:,} in + {came:,} out tokens"


def format_p(p: float | None) -> str:
    """Format a p-value.

    "" if nothing was tested.
    """
    if p is None:
        return ""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def choose_direction(measure: dict[str, Any]) -> str:
    """Return `good` or `bad` for a proven difference, or "" if it may be chance."""
    found = measure["difference"]
    if found is None or found.get("p_adjusted", 1.0) >= LIKELY:
        return ""
    wins = found["conversations_better"] > found["conversations_worse"]
    return "good" if wins else "bad"
