"""A provider's usage is stored in short, and comes back as it was."""

from __future__ import annotations

import hashlib

import orjson
from hypothesis import given
from hypothesis import strategies as st

from plainloop.agent.base.tokens.raw_usage import KEYS, pack_raw_usage, unpack_raw_usage

NAMES = st.sampled_from(KEYS) | st.text(max_size=3)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
)


@given(st.dictionaries(NAMES, VALUES, max_size=5))
def test_packed_usage_comes_back_with_its_keys_in_order(raw: dict[str, object]):
    kept = orjson.loads(orjson.dumps(pack_raw_usage(raw)))

    assert isinstance(kept, list)
    assert orjson.dumps(unpack_raw_usage(kept)) == orjson.dumps(raw)


def test_the_numbers_of_usage_keys_stay():
    first = KEYS[:50]  # new ones go behind these
    assert len({*KEYS}) == len(KEYS)
    assert hashlib.sha256(" ".join(first).encode()).hexdigest()[:16] == "901e3443f053ed68"
