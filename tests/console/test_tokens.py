"""The colours of the console: read on their grounds, and told apart in charts, in both themes."""

from __future__ import annotations

import math
import re
from itertools import combinations

import pytest

from plainloop.server.console.serving import STATIC

THEMES = ("light", "dark")
# What stands on what, and the contrast that it needs (WCAG 2.2: text 4.5, edges and marks 3).
TEXTS = [
    *(
        (text, ground)
        for text in ("text", "text-2")
        for ground in ("bg", "side", "hover", "inset", "raised")
    ),
    *(("text-3", ground) for ground in ("bg", "surface", "side")),
    *(("accent", ground) for ground in ("bg", "surface", "tint")),
    *((name, f"{name}-bg") for name in ("ok", "warn", "bad")),
    *(("text", f"{name}-bg") for name in ("ok", "warn", "bad")),
    *(("on-solid", ground) for ground in ("solid", "solid-hover", "danger")),
]
MARKS = [("edge", "surface"), ("ghost", "surface"), *((f"c{n}", "surface") for n in range(1, 7))]
LEAST_DISTANCE = 15
# Machado 2009, severity 1, on linear RGB: what sees no red, no green, no blue.
SIGHTS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
Colour = tuple[float, float, float]


def read_styles() -> str:
    return "".join((STATIC / name).read_text() for name in ("console.css", "pages.css"))


def test_links_that_look_like_buttons_keep_their_colour_under_the_pointer():
    css = read_styles()
    assert re.findall(r"\.crumbs a[^{]*:hover", css) == [".crumbs a:not(.button):hover"]


def read_tokens(theme: str) -> dict[str, str]:
    text = (STATIC / "tokens.css").read_text()
    found = re.findall(r"--([\w-]+): (?:light-dark\()?(#\w+)(?:, (#\w+)\))?;", text)
    return {name: (theme == "dark" and dark) or light for name, light, dark in found}


def to_linear(text: str) -> Colour:
    digits = text[1:] if len(text) == 7 else "".join(2 * sign for sign in text[1:])
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    r, g, b = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return r, g, b


def find_contrast(one: str, other: str) -> float:
    light, dark = sorted(
        (sum(map(math.prod, zip((0.2126, 0.7152, 0.0722), to_linear(c), strict=True))))
        for c in (one, other)
    )[::-1]
    return (light + 0.05) / (dark + 0.05)


def to_lab(linear: Colour) -> Colour:
    matrix = (
        (0.4124564, 0.3575761, 0.1804375),
        (0.2126729, 0.7151522, 0.0721750),
        (0.0193339, 0.1191920, 0.9503041),
    )
    white = (0.95047, 1.0, 1.08883)
    x, y, z = (
        sum(map(math.prod, zip(row, linear, strict=True))) / w
        for row, w in zip(matrix, white, strict=True)
    )
    fx, fy, fz = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def see(text: str, sight: str) -> Colour:
    linear = to_linear(text)
    r, g, b = (
        min(1.0, max(0.0, sum(map(math.prod, zip(row, linear, strict=True)))))
        for row in SIGHTS[sight]
    )
    return to_lab((r, g, b))


def find_distance(one: Colour, other: Colour) -> float:
    """CIEDE2000 (Sharma, Wu, Dalal 2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_c = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(mean_c**7 / (mean_c**7 + 25**7)))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    dl, dc = l2 - l1, c2 - c1
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    ml, mc = (l1 + l2) / 2, (c1 + c2) / 2
    mh = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    t = 1 - 0.17 * math.cos(math.radians(mh - 30)) + 0.24 * math.cos(math.radians(2 * mh))
    t += 0.32 * math.cos(math.radians(3 * mh + 6)) - 0.2 * math.cos(math.radians(4 * mh - 63))
    sl = 1 + 0.015 * (ml - 50) ** 2 / math.sqrt(20 + (ml - 50) ** 2)
    sc, sh = 1 + 0.045 * mc, 1 + 0.015 * mc * t
    bend = math.sin(math.radians(60 * math.exp(-(((mh - 275) / 25) ** 2))))
    rt = -2 * math.sqrt(mc**7 / (mc**7 + 25**7)) * bend
    return math.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * dc / sc * dh / sh)


def test_the_computed_colour_distance_equals_published_values() -> None:
    found = find_distance((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485))

    assert round(found, 4) == 2.0425


@pytest.mark.parametrize("theme", THEMES)
def test_every_console_text_and_mark_has_enough_contrast(theme: str) -> None:
    tokens = read_tokens(theme)
    found = {
        (one, other): round(find_contrast(tokens[one], tokens[other]), 1)
        for pairs, least in ((TEXTS, 4.5), (MARKS, 3))
        for one, other in pairs
        if find_contrast(tokens[one], tokens[other]) < least
    }

    assert found == {}


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("theme", THEMES)
def test_chart_colours_are_distinguishable_with_colour_blindness(theme: str, sight: str) -> None:
    tokens = read_tokens(theme)
    found = {
        (one, other): find_distance(see(tokens[one], sight), see(tokens[other], sight))
        for one, other in combinations([f"c{n}" for n in range(1, 7)], 2)
    }

    assert min(found.values()) >= LEAST_DISTANCE, min(found, key=lambda pair: found[pair])


def test_console_styles_use_only_declared_colours() -> None:
    assert re.findall(r"#[0-9a-fA-F]{3,6}\b(?![\w-]*[\s,.:>{])", read_styles()) == []
