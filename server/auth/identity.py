"""Who asks: a JWT's claims, an API key's owner, or the one user of local mode."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress
from typing import Any, Final, TypeVar, cast

from ...agent.base.finishing import end_tasks
from ...agent.config.settings import Settings
from ...agent.core.api import ApiRequest
from ...agent.dataclasses import dataclass, replace
from ...agent.errors import AccessDenied, AuthError, ConfigError, StoreError
from ...agent.service.service import LOCAL_TENANT, LOCAL_USER
from ...agent.store.admin.api_keys import PREFIX, find_key, has_key
from ...agent.store.admin.tenant_secrets import split_secret
from ...agent.store.store import Store
from ..settings import AuthSettings, ServerLimits
from .jwks import KeySet

# RFC 7518, 3.2: a key of HS256 has at least as many bits as its hash, or it can be guessed from one
# token (test_a_short_secret_is_refused_at_start).
MIN_SECRET_BYTES: Final = 32
# As long as `user_id` may be in the bodies of budgets, keys and users.
MAX_NAME_CHARS: Final = 255
ADMIN: Final = "admin"
CHECK_S: Final = 1.0  # how long a stream relies on the last check of its token or key
WAIT_S: Final = 1.0  # how long a batch waits for a check
LAST_S: Final = 253_402_214_400.0  # 9999-12-31, a day before times end
_PUBLIC_KEY_ALGORITHMS: Final = ("RS256", "ES256")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Identity:
    """An authenticated caller. expires_at: Unix seconds; None: never.
    key_id: of the API key that spoke for them, also where a ticket or session was had for it; None:
    they spoke themselves.
    """

    tenant_id: str
    user_id: str
    is_admin: bool = False
    expires_at: float | None = None
    key_id: str | None = None
    can_write: bool = True  # False: nothing is changed and no run begun


LOCAL: Final = Identity(LOCAL_TENANT, LOCAL_USER, is_admin=True)


class Authenticator:
    """Checks tokens and API keys. Without any key in the settings (local mode) everybody who can
    connect is the local user.
    """

    def __init__(self, settings: Settings, store: Store | None = None) -> None:
        """Prepare to check. store: where API keys are; None: none is taken.

        Raises: ConfigError for a secret that is too short.
        """
        self._auth = settings.get_table(AuthSettings)
        self._store = store
        self._secret = _read_secret(settings.get_table(AuthSettings))
        url = settings.get_table(AuthSettings).jwks_url
        self._keys = (
            None if url is None else KeySet(url, settings.get_table(ServerLimits).jwks_cache_s)
        )
        self.is_local = self._secret is None and self._keys is None and not self._auth.api_keys
        if not self.is_local:
            import jwt as jwt  # here and not at a request: it is slow to import

    async def identify_header(self, authorization: str | None) -> Identity:
        """Return the identity of the caller whom the Authorization header names.

        Without authentication it is the local user. Raises: AuthError, ServiceUnavailable.
        """
        if self.is_local:
            return LOCAL
        scheme, _, token = (authorization or "").partition(" ")
        # The scheme is case-insensitive (RFC 9110, 11.1).
        if scheme.lower() != "bearer" or not token.strip():
            raise AuthError(
                "authentication is required",
                hint="Send the header `Authorization: Bearer <JWT or API key>`.",
            )
        return await self.identify(token.strip())

    async def identify(self, token: str) -> Identity:
        """Return the identity of the caller to whom an API key or a JWT belongs.

        Without authentication it is the local user. Raises: AuthError, ServiceUnavailable when the
        keys cannot be read.
        """
        if self.is_local:
            return LOCAL
        if token.startswith(PREFIX) and self._store is not None:
            return await _identify_key(self._store, token.removeprefix(PREFIX))
        import jwt

        try:
            claims = await self._decode(token)
        except jwt.ExpiredSignatureError as error:
            raise make_expired() from error
        # Not PyJWT's errors alone: Python's json reads Infinity, and an `exp` of it is an
        # OverflowError there.
        except (jwt.PyJWTError, ValueError, OverflowError) as error:
            raise AuthError(
                f"the token is not valid: {error}",
                hint="Get a new token, and check that it is meant for this server.",
            ) from error
        return build_identity(claims, self._auth)

    async def show_while_held(
        self, identity: Identity, batches: AsyncGenerator[T]
    ) -> AsyncGenerator[T]:
        """Yield a stream's batches until the caller's token expires or their key is revoked.

        Raises: AuthError then, before the first batch that comes `CHECK_S` seconds later.
        """
        checked_at, check = time.monotonic(), None  # checked by the request
        try:
            async with aclosing(batches):
                async for batch in batches:
                    # Before a batch, not by a timer: a stream that shows nothing costs nothing. Not
                    # before each: an answer's pieces come by the dozen a second.
                    if check is None and time.monotonic() - checked_at >= CHECK_S:
                        check = asyncio.create_task(self.check_held(identity))
                        # A database that does not answer must not stop the stream
                        # (test_a_stream_continues_while_its_token_check_waits).
                        await asyncio.wait({check}, timeout=WAIT_S)
                    if check is not None and check.done():
                        with suppress(StoreError):  # a lost database has revoked nothing
                            check.result()
                        checked_at, check = time.monotonic(), None
                    yield batch
        finally:
            await end_tasks(*([check] if check else []))

    async def check_late_answer(self, identity: Identity, asked_at: float) -> None:
        """Check that the API key of a request was not revoked while its answer was made.

        asked_at: of the monotonic clock. A request that took less than `CHECK_S` costs nothing.
        Raises: AuthError.
        """
        if identity.key_id is None or time.monotonic() - asked_at < CHECK_S:
            return
        with suppress(StoreError, TimeoutError):  # a lost database has revoked nothing
            async with asyncio.timeout(WAIT_S):
                # Many tokens live for a minute, and the answer to one is sent whole.
                await self.check_held(replace(identity, expires_at=None))

    async def check_held(self, identity: Identity) -> None:
        """Check that the token or API key behind an open connection is still valid.

        Raises: AuthError when the token has expired or the key was revoked.
        """
        if identity.expires_at is not None and identity.expires_at < time.time():
            raise make_expired()
        # At each frame: a socket may be open for days, and only its opening reads the key
        # (test_a_websocket_accepts_a_key_until_it_is_revoked).
        if identity.key_id is not None and self._store is not None:
            if not await has_key(self._store.read(identity.tenant_id), identity.key_id):
                raise _make_unheld()

    async def _decode(self, token: str) -> dict[str, Any]:
        import jwt

        header = jwt.get_unverified_header(token)
        algorithm = header.get("alg")
        # The algorithm decides which of our keys is used: if the token could choose, our public key
        # would serve as a shared secret, and anybody could sign.
        if algorithm == "HS256" and self._secret is not None:
            key: Any = self._secret
        elif self._keys is not None and algorithm in _PUBLIC_KEY_ALGORITHMS:
            key = await self._keys.find_key(header.get("kid"), algorithm)
        else:
            known = ["HS256"] if self._secret is not None else []
            known += _PUBLIC_KEY_ALGORITHMS if self._keys is not None else ()
            advice = f"sign with {' or '.join(known)}" if known else "use an API key"
            raise jwt.InvalidAlgorithmError(
                f"the algorithm {algorithm!r} is not accepted: {advice}"
            )
        try:
            return self._verify(token, key, algorithm)
        except jwt.InvalidSignatureError:
            # The token names no key, and was checked with the only one: after a rotation that is an
            # old one (test_a_rotated_only_key_is_found_for_tokens_without_an_id).
            if self._keys is None or algorithm == "HS256" or header.get("kid") is not None:
                raise
            await self._keys.refresh()
            return self._verify(token, await self._keys.find_key(None, algorithm), algorithm)

    def _verify(self, token: str, key: Any, algorithm: str) -> dict[str, Any]:
        import jwt

        audience = self._auth.audience
        return jwt.decode(
            token,
            key,
            algorithms=[algorithm],
            audience=audience,
            issuer=self._auth.issuer,
            leeway=self._auth.leeway_s,
            # A JWT cannot be revoked here, so it must end by itself
            # (test_a_wrong_token_is_refused). Without an audience of ours PyJWT would refuse every
            # token that names one.
            options={"require": ["exp"], "verify_aud": audience is not None},
        )


async def _identify_key(store: Store, key: str) -> Identity:
    tenant_id, secret = split_secret(key)
    owner = await find_key(store.read(tenant_id), secret)
    if owner is None:
        raise _make_unheld()
    return Identity(
        tenant_id,
        owner.user_id,
        is_admin="admin" in owner.scopes,
        expires_at=owner.expires_at.timestamp(),
        key_id=owner.key_id,
        can_write="write" in owner.scopes or "admin" in owner.scopes,
    )


def get_identity(request: ApiRequest) -> Identity:
    """Return the caller of a request that was authenticated."""
    return Identity(*request.owner, request.is_admin, request.expires_at, key_id=request.key_id)


def make_read_only() -> AccessDenied:
    """Build the error for a change that was requested with a read-only API key."""
    return AccessDenied(
        "the API key allows only reading",
        hint="Use a key with the permission write.",
        code="SCOPE_MISSING",
    )


def make_expired() -> AuthError:
    """Build the error for a token that has expired, also during a connection."""
    return AuthError(
        "the token has expired", hint="Sign in again, or get a new token.", code="TOKEN_EXPIRED"
    )


def _make_unheld() -> AuthError:
    return AuthError(
        "the API key is unknown, expired or revoked",
        hint="Create a new key, and send it instead.",
        code="KEY_NOT_HELD",
    )


def build_identity(claims: Mapping[str, Any], auth: AuthSettings) -> Identity:
    """Build the identity from a token's verified claims.

    Raises: AuthError when a claim that is needed is missing or no name.
    """
    tenant_id = _read_name(claims, auth.tenant_claim, auth.tenant)
    user_id = _read_name(claims, auth.user_claim, None)
    return Identity(
        tenant_id,
        user_id,
        is_admin=_is_admin(claims.get(auth.admin_claim)),
        # A token may contain any number: no clock goes beyond the calendar's last year, and 400
        # digits are no float (test_a_token_expiring_after_year_9999_is_accepted).
        expires_at=min(min(int(claims["exp"]), LAST_S) + auth.leeway_s, LAST_S),
    )


def _read_name(claims: Mapping[str, Any], claim: str, default: str | None) -> str:
    value = claims.get(claim, default)
    # A claim such as `id` may be a number; but `true` is an int to Python, and no user's name.
    name = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(name, str) or not name.strip():
        raise AuthError(
            f"the token lacks the claim {claim!r}",
            hint="Get a token that has it, or name another claim in the settings.",
        )
    # Names are written to logs and shown to others: no line break, no control character.
    if len(name) > MAX_NAME_CHARS or not name.isprintable():
        raise AuthError(
            f"the value of the token's claim {claim!r} is not a valid name",
            hint="Use a shorter name of printable characters.",
        )
    return name


def _is_admin(value: Any) -> bool:
    """
    >>> _is_admin(["reader", "admin"]), _is_admin("admin"), _is_admin(True), _is_admin("nobody")
    (True, True, True, False)
    """
    # Equal to, not merely true: a text such as "no" gives no rights.
    if isinstance(value, list):
        return ADMIN in cast("list[Any]", value)
    return value is True or value == ADMIN


def _read_secret(auth: AuthSettings) -> str | None:
    if auth.jwt_secret is None:
        return None
    secret = auth.jwt_secret.reveal()
    if len(secret.encode()) < MIN_SECRET_BYTES:
        raise ConfigError(
            f"AGENT_AUTH_JWT_SECRET has fewer than {MIN_SECRET_BYTES} bytes",
            hint='Make one: python -c "import secrets; print(secrets.token_urlsafe(48))"',
        )
    return secret


def make_token(auth: AuthSettings, identity: Identity, valid_s: float) -> str:
    """Return a JWT signed with our own secret, for development and small installations.

    Raises: ConfigError when there is no secret.
    """
    secret = _read_secret(auth)
    if secret is None:
        raise ConfigError("no signing secret is configured", hint="Set AGENT_AUTH_JWT_SECRET.")
    now = time.time()
    claims: dict[str, Any] = {
        auth.user_claim: identity.user_id,
        auth.tenant_claim: identity.tenant_id,
        "iat": int(now),
        "exp": int(now + valid_s),
    }
    if identity.is_admin:
        claims[auth.admin_claim] = [ADMIN]
    if auth.issuer is not None:
        claims["iss"] = auth.issuer
    if auth.audience is not None:
        claims["aud"] = auth.audience
    import jwt

    return jwt.encode(claims, secret, algorithm="HS256")
