"""A large body costs a few times its size, and its reading stands beside the event loop."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from msgspec import Struct
from starlette.requests import Request

from plainloop.agent.errors import InputError
from plainloop.server.http.json_limits import MAX_DEPTH, MAX_VALUES
from plainloop.server.http.reading import decode_json, read_json

SIZE = 12_000_000
BODIES = {
    "a picture": "b'{\"a\":\"' + b'QUJD' * 850_000 + b'\"}'",
    "a refused one": "b'{\"a\":\"' + b'A' * 11_500_000 + b'\",\"b\":[' + b'[],' * 200 + b']}'",
    "brackets": "b'[' * 12_000_000",
    "pairs": "b'[' + b'[],' * 4_000_000 + b'1]'",
    "objects": "b'[' + b'{},' * 4_000_000 + b'1]'",
    "numbers": "b'[' + b'1,' * 6_000_000 + b'1]'",
    "short strings": "b'[' + b'\"a\",' * 3_000_000 + b'1]'",
    "backslashes": "b'\"' + b'\\\\' * 6_000_000 + b'\"'",
    "escaped quotes": "b'\"' + b'\\\"' * 6_000_000 + b'\"'",
    "a text of escapes": "b'\"' + b'\\u0041' * 2_000_000 + b'\"'",
}
# Each body in a process of its own: what was the most of one says nothing of the next.
CHILD = """
import json, os, resource, sys
from contextlib import suppress
from plainloop.server.http.reading import decode_json
for name, source in json.loads(sys.argv[1]).items():
    if not os.fork():
        body = eval(source)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with suppress(ValueError, RecursionError):
            decode_json(body)
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(json.dumps([name, (after - before) * 1024 / len(body)]), flush=True)
        os._exit(0)
    os.wait()
"""


def test_a_request_body_takes_at_most_four_times_its_size_in_memory() -> None:
    command = (sys.executable, "-c", CHILD, json.dumps(BODIES))
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    costs: dict[str, float] = dict(map(json.loads, told.stdout.splitlines()))
    assert costs.keys() == BODIES.keys()
    assert {name: cost for name, cost in costs.items() if cost > 3} == {}, "and the body itself"


class Anything(Struct):
    a: str = ""


@pytest.mark.parametrize("body", [b"[" * SIZE, b'{"a":"' + b"\\\\" * (SIZE // 2) + b'"}'])
async def test_large_bodies_are_parsed_outside_the_event_loop(body: bytes) -> None:
    headers = [(b"content-type", b"application/json")]

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": body, "more_body": False}

    spent: list[float] = []
    for _ in range(3):
        request = Request({"type": "http", "method": "POST", "headers": headers}, receive)
        began = time.thread_time()
        with suppress(InputError):
            await read_json(request, Anything, SIZE * 2)
        spent.append(time.thread_time() - began)
    assert min(spent) <= 0.02, "CPU seconds of the loop's own thread"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), "nested more than 100 levels deep"),
        (b'{"a":[' * 51 + b"]}" * 51, "nested more than 100 levels deep"),
        (b"[" + b"1," * MAX_VALUES + b"1]", "more than 250,000 values"),
        (b"[" + b'"",' * MAX_VALUES * 3 + b"1]", "more than 250,000 values"),
    ],
)
def test_too_deep_or_too_large_json_is_refused_with_the_limit(body: bytes, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        decode_json(body)


@pytest.mark.parametrize(
    "body",
    [
        b"[" * MAX_DEPTH + b"]" * MAX_DEPTH,
        b'["' + b"[" * 200 + b'"]',
        b'["' + b"[" * 200 + b"]" * 200 + b'"]',
        b'["' + b"," * (MAX_VALUES + 1) + b'"]',
        rb'["\\\"' + b"[" * 200 + rb'\"[\\"]',
        b'["\\n\\"' + b"{" * 200 + b'"]',
    ],
)
def test_brackets_in_json_strings_do_not_count_as_depth(body: bytes) -> None:
    assert decode_json(body)
