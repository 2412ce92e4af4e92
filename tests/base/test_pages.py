"""Every HTML page comes from one shell and one style sheet."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from plainloop.agent.base import pages
from plainloop.agent.base.pages.pages import make_pages

STYLE = (Path(pages.__path__[0]) / "style.css").read_text(encoding="utf-8")
LEAST_CONTRAST = 4.5  # WCAG 2, level AA, for text


def render(folder: Path, body: str, **values: object) -> str:
    text = '{% extends "page.html" %}{% block body %}' + body + "{% endblock %}"
    (folder / "mine.html").write_text(text, encoding="utf-8")
    return make_pages(folder).get_template("mine.html").render(**values)


def test_data_in_rendered_html_pages_is_escaped(tmp_path: Path) -> None:
    page = render(tmp_path, '<p title="{{ said }}">{{ said }}</p>', said='<b onclick="x">hi</b>')

    assert "<b " not in page
    assert "&lt;b onclick=&#34;x&#34;&gt;" in page


def test_html_pages_are_styled_and_load_nothing(tmp_path: Path) -> None:
    page = render(tmp_path, "")

    assert "default-src 'none'" in page
    assert "--accent: #2f57c9" in page


def test_an_undefined_name_in_a_page_template_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UndefinedError):
        render(tmp_path, "{{ missing }}")


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_colours_of_html_pages_have_enough_contrast(theme: int) -> None:
    colours = dict(
        re.findall(r"--([\w-]+): (#\w+)", re.findall(r":root \{(.*?)\}", STYLE, re.S)[theme])
    )
    pairs = [
        (name, ground)
        for name in ("text", "soft", "accent", "bad", "good")
        for ground in ("back", "panel")
    ]
    pairs += [
        ("bad", "bad-back"),
        ("good", "good-back"),
        ("text", "bad-back"),
        ("text", "good-back"),
    ]

    weak = [pair for pair in pairs if contrast(colours[pair[0]], colours[pair[1]]) < LEAST_CONTRAST]

    assert weak == []


def contrast(one: str, other: str) -> float:
    lights = sorted((measure_light(one), measure_light(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def measure_light(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
