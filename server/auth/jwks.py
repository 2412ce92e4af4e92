"""Public keys of whoever signs our users' tokens, read from the address that the operator gave."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Any, Final, cast

import orjson

from ...agent.base.extras import check_extra
from ...agent.errors import AuthError, ServiceUnavailable

if TYPE_CHECKING:
    import jwt

logger = logging.getLogger(__name__)

TIMEOUT_S: Final = 5.0
# A key set has a few kB; the bound is against an address that answers with something else.
MAX_BYTES: Final = 1_000_000
COOLDOWN_S: Final = 10.0  # a token with an invented `kid` must not make us ask each time
MIN_RSA_BITS: Final = 2_048  # of RFC 7518, 3.3
_KINDS: Final = {"RS256": "RSA", "ES256": "EC"}


class KeySet:
    """Public keys by their `kid`, cached; fetched again when old or when a `kid` is unknown."""

    def __init__(self, url: str, cache_s: float) -> None:
        """Prepare the key set; nothing is fetched before the first token.

        Raises: ConfigError where PyJWT has no cryptography to check public keys with.
        """
        check_extra("cryptography", "jwks")
        self._url = url
        self._cache_s = cache_s
        self._keys: dict[str | None, jwt.PyJWK] = {}
        self._fetched_at = -cache_s
        self._read_at: float | None = None
        self._lock = asyncio.Lock()

    async def find_key(self, kid: Any, algorithm: str) -> Any:
        """Return the public key that signed a token.

        The key set is fetched again if it is old or lacks the key. Raises: AuthError for an unknown
        key; ServiceUnavailable when none could be read.
        """
        key = self._get_key(kid)
        # A known key that is old waits for the refresh too, not in the background: a key withdrawn
        # overnight would still sign in the first user of the morning.
        if key is None or self._is_old():
            await self._refresh(kid)
            key = self._get_key(kid)
        # Match the key's type too: an RSA key cannot verify ES256, whatever the token's header says
        # (tests/server/test_identity.py::test_public_keys_are_cached_and_verified).
        if key is None or key.key_type != _KINDS[algorithm]:
            raise AuthError(
                "the token was signed with an unknown key",
                hint="Get a new token; check AGENT_AUTH_JWKS_URL if it happens again.",
            )
        return key.key

    def _get_key(self, kid: Any) -> jwt.PyJWK | None:
        """Return the cached key of this id; the only key for a token that names none."""
        if kid is None and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        return self._keys.get(kid)

    def _is_old(self) -> bool:
        return self._read_at is None or time.monotonic() - self._read_at > self._cache_s

    async def refresh(self) -> None:
        """Fetch the key set again, unless it was fetched a moment ago.

        After a rotation, a token without an id is checked with the only key there was.
        """
        await self._refresh(None, is_wanted=True)

    async def _refresh(self, kid: Any, *, is_wanted: bool = False) -> None:
        """Fetch the key set, one request at a time; keep the old keys if it cannot be read.

        Raises: ServiceUnavailable if none was ever read.
        """
        # After a rotation all requests lack the new key at once: the first reads it, the others
        # wait.
        async with self._lock:
            if self._get_key(kid) is not None and not self._is_old() and not is_wanted:
                return  # another request has read them while this one waited for the lock
            if time.monotonic() - self._fetched_at < COOLDOWN_S:
                if self._read_at is None:
                    raise _make_unavailable()
                return
            # Before the request, so that a failed one counts as well: else every request would wait
            # for the time-out in turn (test_unreachable_public_keys_are_503_not_401).
            self._fetched_at = time.monotonic()
            try:
                self._keys = _parse_keys(await _fetch(self._url))
            except Exception as error:  # the edge: whatever is wrong over there
                logger.warning("jwks_unreadable", extra={"reason": str(error)[:200]})
                if self._read_at is None:
                    raise _make_unavailable() from error
            else:
                self._read_at = time.monotonic()


async def _fetch(url: str) -> bytes:
    import httpx2

    async with (
        # No proxy of the environment, no redirect: an attacker who redirects this request could
        # sign in as any user.
        httpx2.AsyncClient(timeout=TIMEOUT_S, trust_env=False, follow_redirects=False) as client,
        client.stream("GET", url) as response,
    ):
        response.raise_for_status()
        body = b""
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > MAX_BYTES:
                raise ValueError("the key set is too large: check AGENT_AUTH_JWKS_URL")
        return body


def _parse_keys(body: bytes) -> dict[str | None, jwt.PyJWK]:
    """Return the usable keys of a key set by id. Raises: ValueError if it is no key set."""
    import jwt

    document: Any = orjson.loads(body)
    listed = cast("list[Any]", document["keys"])
    keys: dict[str | None, jwt.PyJWK] = {}
    for item in listed:
        # `use` is optional (RFC 7517, 4.2); a key for encryption signs no token.
        is_ours = item.get("kty") in _KINDS.values() and item.get("use", "sig") == "sig"
        if not is_ours:
            continue
        try:
            key = jwt.PyJWK(item)
        except jwt.PyJWTError:  # a curve that we do not take
            continue
        # Left out with a warning, not an error: the other keys of the set still sign users in
        # (test_an_rsa_key_under_2048_bits_is_refused).
        if key.key_type == "RSA" and key.key.key_size < MIN_RSA_BITS:
            reason = f"the key has {key.key.key_size} bits, fewer than {MIN_RSA_BITS}"
            logger.warning("jwks_key_refused", extra={"kid": item.get("kid"), "reason": reason})
            continue
        keys[item.get("kid")] = key
    return keys


def _make_unavailable() -> ServiceUnavailable:
    return ServiceUnavailable(
        "the keys for checking tokens cannot be loaded",
        hint="AGENT_AUTH_JWKS_URL must be reachable from the server.",
        code="KEYS_UNAVAILABLE",
    )
