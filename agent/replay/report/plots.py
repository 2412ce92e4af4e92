"""A report's plots as inline SVG. Colours are the page's: they follow light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, Final

from .numbers import format_value

WIDTH: Final = 560
_LABELS: Final = 210
_RIGHT: Final = 30
_ROW: Final = 34


def plot_shares(measures: Sequence[dict[str, Any]], lanes: Sequence[str]) -> str:
    """Each lane's share or ratio, 0 to 1, with its interval."""
    rows = [item for item in measures if item["unit"] in ("share", "ratio")]
    height = len(rows) * _ROW + 26
    scale = WIDTH - _LABELS - _RIGHT
    shapes = [
        f'<line class="grid" x1="{_LABELS + scale * tick}" y1="4" '
        f'x2="{_LABELS + scale * tick}" y2="{height - 22}"/>'
        f'<text class="soft" text-anchor="middle" x="{_LABELS + scale * tick}" '
        f'y="{height - 8}">{tick:.0%}</text>'
        for tick in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    for row, item in enumerate(rows):
        middle = row * _ROW + 18
        shapes.append(f'<text x="0" y="{middle + 4}">{escape(item["title"])}</text>')
        found = [(lane, item["lanes"][lane]) for lane in lanes if lane in item["lanes"]]
        for place, (lane, value) in enumerate(found):
            y = middle + (place - (len(found) - 1) / 2) * 10
            shapes.append(_draw_point(lane, value, y, scale))
    return _wrap(shapes, height, "Shares of each lane with 95% intervals")


def _draw_point(lane: str, value: dict[str, Any], y: float, scale: float) -> str:
    low, high = value["low"], value["high"]
    x = _LABELS + scale * value["mean"]
    line = ""
    if low is not None:
        ends = [_LABELS + scale * min(1.0, max(0.0, end)) for end in (low, high)]
        line = (
            f'<line x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{y:.1f}" y2="{y:.1f}" '
            'stroke="currentColor" stroke-width="2" opacity=".6"/>'
        )
    title = f"<title>{lane}: {value['mean']:.1%}</title>"
    point = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="currentColor">{title}</circle>'
    return f'<g class="{escape(lane)}">{line}{point}</g>'


def plot_amounts(measures: Sequence[dict[str, Any]], lanes: Sequence[str]) -> str:
    """Means per turn as bars, each measure on a scale of its own."""
    rows = [item for item in measures if item["unit"] in ("usd", "ms", "tokens", "count")]
    shapes: list[str] = []
    y = 6
    scale = WIDTH - _LABELS - 70
    for item in rows:
        found = [(lane, item["lanes"][lane]["mean"]) for lane in lanes if lane in item["lanes"]]
        top = max((mean for _, mean in found), default=0.0)
        if not top:
            continue
        shapes.append(f'<text x="0" y="{y + len(found) * 7 + 3}">{escape(item["title"])}</text>')
        for lane, mean in found:
            width = scale * mean / top
            shapes.append(
                f'<g class="{escape(lane)}"><rect x="{_LABELS}" y="{y}" width="{width:.1f}" '
                'height="10" rx="2" fill="currentColor" opacity=".85"/></g>'
                f'<text class="soft" x="{_LABELS + width + 6:.1f}" y="{y + 9}">'
                f"{format_value(mean, item['unit'])}</text>"
            )
            y += 14
        y += 10
    return _wrap(shapes, max(y, 20), "Means per turn of each lane")


def _wrap(shapes: Sequence[str], height: float, title: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}">'
        f"{''.join(shapes)}</svg>"
    )
