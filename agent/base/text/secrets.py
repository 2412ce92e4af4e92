"""Masks keys and account ids in texts of providers, for every event, row and log.

It knows the keys that this process uses, and what the vendors' keys and account ids look like,
also half covered, as some print them.
"""

from __future__ import annotations

import re
from typing import Final

from .patterns import compile_lazily

CUT: Final = "[removed]"
_SHORTEST: Final = 6  # a shorter "key" would be cut out of ordinary words
_known: set[str] = set()  # the operator's
_passing: dict[str, None] = {}  # users' own, as they try a provider; the oldest first
MAX_PASSING: Final = 256
LONGEST_PASSING: Final = 4096

_KEY: Final = compile_lazily(
    r"""
    \b(?:sk|pk|rk|gsk|xai|ak|nvapi|pplx|hf|r8|tgp|fw|csk)[-_][\w.*-]{6,}   # vendors' keys
    | \bAIza[\w*-]{8,}                                                     # Google's
    | (?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.?[\w-]*                              # a JWT
    | (?<=://)[^\s/@:]+:[^\s/@]+(?=@)                                      # in an address
    """,
    re.VERBOSE,
)
_ACCOUNT: Final = compile_lazily(
    r"""
    \b(?:Bearer|Basic)\s+[\w.~+/*=-]{6,}
    | (?i:\b(?:api[\s_-]?key|token|secret|password)\b["']?\s*[:=]\s*["']?)[^\s"',;}]{6,}
    | \b(?:org|organization|proj|project|user|acct|account|team|workspace|tenant|wrkspc)
      [-_](?=[A-Za-z_*-]{0,64}\d)[A-Za-z0-9_*-]{6,}
    | (?i:\b(?:organi[sz]ation|account|project|team|workspace)s?(?:\s+id)?[\s:\#/='"]+)
      (?=[A-Za-z_*-]{0,64}\d)[\w*-]{6,}
    | (?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+\b                              # a mail address
    | (?<!\w)\w*\*{3,}\w*                                                  # a key half covered
    """,
    re.VERBOSE,
)


def remember_secret(secret: str, *, is_passing: bool = False) -> None:
    """Register a secret that `cut_keys` and `cut_secrets` must mask in every text from now on.
    is_passing: forget it after 256 newer ones.

    Keys that users try in a form would otherwise be held for ever, and searched for in each text.
    """
    if len(secret) < _SHORTEST or secret in _known:
        return
    if not is_passing:
        _known.add(secret)
    elif len(secret) <= LONGEST_PASSING:
        _passing.pop(secret, None)
        _passing[secret] = None
        if len(_passing) > MAX_PASSING:
            del _passing[next(iter(_passing))]


def cut_keys(text: str) -> str:
    """Mask the API keys in a text that the service wrote.

    >>> cut_keys("tried sk-ant-api03-abcdef for ann@example.com")
    'tried [removed] for ann@example.com'
    """
    # Registered keys first, as whole texts of any form, the longest first: if one key begins with
    # another, its end would stay readable (tests/providers/test_leaks.py).
    for secret in (*sorted(_known, key=len, reverse=True), *_passing):
        text = text.replace(secret, CUT)
    return _KEY.sub(CUT, text)


def cut_secrets(text: str) -> str:
    """Mask API keys and account ids in a provider's text, such as an error message.

    >>> cut_secrets("Incorrect API key provided: sk-proj-ab***wxyz, for org-Ab3dEf9h")
    'Incorrect API key provided: [removed], for [removed]'
    """
    return _ACCOUNT.sub(CUT, cut_keys(text))
