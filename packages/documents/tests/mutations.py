"""Files gone wrong: cut, flipped, spliced, doubled. Strategies for Hypothesis."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from packages.documents.tests.samples import LINES, fill_resume, make_docx, make_pdf, make_scan

PAGE = (
    b"<!doctype html><html><head><meta charset=utf-8><title>Job</title>"
    b'<script type="application/ld+json">{"@type":"JobPosting","title":"Cook",'
    b'"hiringOrganization":{"name":"Acme"},"baseSalary":{"value":{"minValue":1}}}</script>'
    b"</head><body><main><h1>Cook</h1><p style='x'>We <b>cook</b><ul><li>a<li>b</ul>"
    b"<table><tr><td>1<td>2</table></main></body></html>"
)


@cache
def list_seeds() -> tuple[bytes, ...]:
    return (
        make_pdf(*LINES),
        make_docx(fill_resume),
        make_scan(),
        PAGE,
        b"",
        b"%PDF-",
        b"PK\x03\x04",
    )


@st.composite
def broken_files(draw: st.DrawFn) -> bytes:
    """A real file with up to six faults."""
    content = draw(st.sampled_from(list_seeds()))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, max(0, len(content) - 1)))
        size = draw(st.integers(1, 64))
        fault = draw(st.sampled_from(["cut", "drop", "flip", "insert", "repeat", "number"]))
        if fault == "cut":
            content = content[:at]
        elif fault == "drop":
            content = content[:at] + content[at + size :]
        elif fault == "flip":
            flipped = bytes(byte ^ draw(st.integers(1, 255)) for byte in content[at : at + 1])
            content = content[:at] + flipped + content[at + 1 :]
        elif fault == "insert":
            content = content[:at] + draw(st.binary(max_size=size)) + content[at:]
        elif fault == "repeat":
            content = (
                content[:at] + content[at : at + size] * draw(st.integers(2, 200)) + content[at:]
            )
        else:
            content = content.replace(b"1", draw(st.sampled_from([b"0", b"-1", b"999999999"])), 1)
    return content
