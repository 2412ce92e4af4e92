"""Draw the layers of tests/test_layers.py: `python -m scripts.layers > docs/samples/layers.svg`."""

from __future__ import annotations

from html import escape
from typing import Final

from tests.test_layers import FLOORS, MACHINE

WIDTH: Final = 860
ROW: Final = 34
GAP: Final = 8
LEFT: Final = 150
BANDS: Final = (  # the first layer of each band, from below
    ("agent.errors", "types, settings"),
    ("agent.outbound", "database, models"),
    ("agent.core", "machine, domain"),
    ("agent.service", "service"),
    ("plainloop_rules", "packages/"),
)


def draw_layers() -> str:
    """Draw each layer as a row of boxes, the lowest at the bottom."""
    height = len(FLOORS) * (ROW + GAP) + 50
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="system-ui, sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        '<text x="16" y="24" fill="#1c2733" font-size="13">A package imports only from rows below '
        "its own. The machine is drawn dark.</text>",
    ]
    for index, names in enumerate(FLOORS):
        top = height - 16 - (index + 1) * (ROW + GAP)
        parts.extend(draw_row(names, top))
    return "\n".join([*parts, "</svg>"]) + "\n"


def draw_row(names: tuple[str, ...], top: int) -> list[str]:
    """Draw one layer: the name of its band, where it begins one, and a box for each package."""
    label = next((title for first, title in BANDS if first in names), "")
    width = (WIDTH - LEFT - 16 - GAP * (len(names) - 1)) / len(names)
    row = [f'<text x="16" y="{top + 21}" fill="#5b6773" font-size="12">{escape(label)}</text>']
    if label:  # a band ends below
        y = top + ROW + GAP // 2
        row.append(f'<line x1="16" x2="{WIDTH - 16}" y1="{y}" y2="{y}" stroke="#c3ccd6"/>')
    for place, name in enumerate(names):
        left = LEFT + place * (width + GAP)
        fill, ink = ("#1f4e79", "#ffffff") if name in MACHINE else ("#e8eef5", "#1c2733")
        row.append(
            f'<rect x="{left:.0f}" y="{top}" width="{width:.0f}" height="{ROW}" rx="5" '
            f'fill="{fill}"/>'
        )
        shown = name.removeprefix("agent.").removeprefix("plainloop_")
        row.append(
            f'<text x="{left + width / 2:.0f}" y="{top + 21}" text-anchor="middle" '
            f'fill="{ink}">{escape(shown)}</text>'
        )
    return row


if __name__ == "__main__":
    print(draw_layers(), end="")
