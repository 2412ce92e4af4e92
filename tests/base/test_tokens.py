"""Our estimate of tokens counts what its features say, however it is made fast."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from plainloop.agent.base.tokens.estimate import estimate_tokens

# What the weights were fitted to: the readable form of the features.
FEATURES = (
    (r"[A-Z]?[a-z]+|[A-Z]+", lambda found: len(found) + 0.34 * sum(max(0, n - 9) for n in found)),
    (r"[!-/:-@\[-`{-~]+", lambda found: 0.61 * len(found) + 0.16 * sum(found)),
    (r"[0-9]{1,3}", lambda found: 1.1 * len(found)),
    (r"\n", lambda found: 0.57 * len(found)),
    (r"[ \t]{2,}", lambda found: 0.65 * len(found)),
    ("[\u00c0-\u024f]", lambda found: 0.9 * len(found)),
    ("[\u3040-\u30ff\u3400-\u9fff]", lambda found: 0.69 * len(found)),
)


@given(st.text(alphabet="aaaaaaaabcxyzAABZ \t\n0179.,_-{}éß日本", max_size=120))
def test_a_token_estimate_is_the_sum_of_its_weighted_features(text: str):
    total = sum(weigh([len(m) for m in re.findall(kind, text)]) for kind, weigh in FEATURES)

    # Weights are added in another order: the last digit of a float may differ.
    assert abs(estimate_tokens(text) - max(total, bool(text))) <= 0.5 + 1e-6


def test_token_estimates_count_a_lone_surrogate_as_one_character():
    assert estimate_tokens("a\ud800") == estimate_tokens("a\ufffd")
