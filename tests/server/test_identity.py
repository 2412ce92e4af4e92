"""Who asks: tokens of both kinds, and every way in which one can be wrong."""

from __future__ import annotations

import base64
import json
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from plainloop.agent.config.settings import load_settings
from plainloop.agent.config.values import Secret
from plainloop.agent.errors import AuthError, ConfigError, ServiceUnavailable
from plainloop.server.auth.identity import LOCAL, Authenticator, Identity, make_token
from plainloop.server.settings import AuthSettings
from plainloop_wire.serving import serve_wire
from tests.server.conftest import SECRET, Served

AUTH = AuthSettings(jwt_secret=Secret(SECRET))

JWKS = "http://127.0.0.1:9/jwks"


def make_authenticator(**auth: Any) -> Authenticator:
    settings = load_settings({})
    return Authenticator(settings.change(AuthSettings, **auth))


def sign(key: Any = SECRET, algorithm: str = "HS256", **claims: Any) -> str:
    whole = {"sub": "ann", "tenant": "acme", "exp": time.time() + 60, **claims}
    kept = {name: value for name, value in whole.items() if value is not None}
    return jwt.encode(kept, key, algorithm=algorithm, headers={"kid": "one"})


def make_odd_header(algorithm: Any) -> str:
    """A token whose header names no algorithm as one does."""
    header = base64.urlsafe_b64encode(json.dumps({"alg": algorithm, "kid": "one"}).encode())
    _, claims, signature = sign().split(".")
    return ".".join([header.decode().rstrip("="), claims, signature])


async def test_a_token_names_tenant_and_user():
    checked = make_authenticator(jwt_secret=Secret(SECRET))
    exp = int(time.time()) + 60

    assert await checked.identify(sign(exp=exp)) == Identity("acme", "ann", False, exp + 30.0)
    assert (await checked.identify(sign(roles=["admin", "x"]))).is_admin
    assert (await checked.identify(sign(sub="7"))).user_id == "7"
    made = make_token(AUTH, Identity("t", "u", is_admin=True), 60)
    again = await checked.identify(made)
    assert (again.tenant_id, again.user_id, again.is_admin) == ("t", "u", True)


@pytest.mark.parametrize(
    "token",
    [
        "",
        "no.token.at-all",
        sign("another secret of at least thirty-two bytes"),
        sign(exp=time.time() - 31),
        sign(exp=None),
        sign(nbf=time.time() + 600),
        sign(sub=None),
        sign(sub=""),
        sign(tenant=None),
        sign(tenant=" "),
        sign(tenant="a\x00b"),
        sign(tenant="x" * 256),
        sign(tenant=["acme"]),
        sign(tenant=True),
        sign("x" * 64, "HS512"),
        sign(exp=float("inf")),
        sign(exp=[]),
        make_odd_header(["HS256"]),
        make_odd_header({"a": 1}),
        make_odd_header(None),
        jwt.encode({"sub": "ann", "tenant": "acme", "exp": time.time() + 60}, "", "none"),
    ],
)
@pytest.mark.filterwarnings("ignore")
async def test_a_wrong_token_is_refused(token: str):
    both = make_authenticator(jwt_secret=Secret(SECRET), jwks_url=JWKS)
    for checked in (both, make_authenticator(jwt_secret=Secret(SECRET))):
        with pytest.raises(AuthError):
            await checked.identify(token)


@pytest.mark.parametrize(
    ("auth", "advice"),
    [
        ({"jwt_secret": Secret(SECRET)}, "sign with HS256"),
        ({"jwks_url": JWKS}, "sign with RS256 or ES256"),
        ({"jwt_secret": Secret(SECRET), "jwks_url": JWKS}, "sign with HS256 or RS256 or ES256"),
    ],
)
async def test_a_refused_algorithm_names_the_accepted_ones(auth: dict[str, Any], advice: str):
    with pytest.raises(AuthError, match=f"'HS512' is not accepted: {advice}$"):
        await make_authenticator(**auth).identify(sign("x" * 64, "HS512"))


def test_a_jwks_url_without_cryptography_names_the_extra(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(ConfigError) as caught:
        make_authenticator(jwks_url="http://127.0.0.1:9/jwks")
    assert caught.value.hint == "pip install 'plainloop[jwks]'"


async def test_issuer_and_audience_are_checked_if_set():
    checked = make_authenticator(jwt_secret=Secret(SECRET), issuer="us", audience="plainloop")

    assert (await checked.identify(sign(iss="us", aud=["plainloop", "x"]))).user_id == "ann"
    for claims in ({}, {"iss": "us"}, {"iss": "them", "aud": "plainloop"}, {"aud": "plainloop"}):
        with pytest.raises(AuthError):
            await checked.identify(sign(**claims))


async def test_claim_names_come_from_the_settings():
    checked = make_authenticator(
        jwt_secret=Secret(SECRET), user_claim="email", tenant="all", admin_claim="is_admin"
    )
    got = await checked.identify(sign(email="ann@x", tenant=None, is_admin=True))

    assert (got.tenant_id, got.user_id, got.is_admin) == ("all", "ann@x", True)


def test_a_short_secret_is_refused_at_start():
    with pytest.raises(ConfigError, match="32 bytes"):
        make_authenticator(jwt_secret=Secret("x" * 31))


async def test_without_authentication_everyone_is_the_local_user():
    checked = make_authenticator()

    assert checked.is_local
    assert await checked.identify_header(None) == LOCAL


class KeyServer:
    """An identity provider's key set on a real socket."""

    def __init__(self) -> None:
        self.keys: dict[str, Any] = {}
        self.requests = 0
        self.is_broken = False
        self.url = ""

    async def answer(self, request: Request) -> JSONResponse:
        self.requests += 1
        if self.is_broken:
            return JSONResponse({}, 500)
        return JSONResponse({"keys": [*self.keys.values()]})

    def add(self, kid: str, key: Any) -> None:
        algorithm: Any = ECAlgorithm if hasattr(key, "curve") else RSAAlgorithm
        public = algorithm.to_jwk(key.public_key(), as_dict=True)
        self.keys[kid] = {**public, "kid": kid, "use": "sig"}


@pytest.fixture
async def key_server() -> AsyncIterator[KeyServer]:
    keys = KeyServer()
    async with serve_wire(Starlette(routes=[Route("/jwks", keys.answer)])) as url:
        keys.url = f"{url}/jwks"
        yield keys


async def test_public_keys_are_cached_and_verified(key_server: KeyServer):
    rsa_key = rsa.generate_private_key(65537, 2048)
    ec_key = ec.generate_private_key(ec.SECP256R1())
    key_server.add("one", rsa_key)
    key_server.keys["odd"] = {"kty": "OKP", "kid": "odd"}
    checked = make_authenticator(jwks_url=key_server.url)

    for _ in range(3):
        assert (await checked.identify(sign(rsa_key, "RS256"))).user_id == "ann"
    assert key_server.requests == 1
    with pytest.raises(AuthError):
        await checked.identify(sign(rsa.generate_private_key(65537, 2048), "RS256"))
    with pytest.raises(AuthError):  # a key of another kind under a known name
        await checked.identify(sign(ec_key, "ES256"))
    with pytest.raises(AuthError):  # the public key as a shared secret: an old attack
        await checked.identify(sign("a public key, long enough for anybody", "HS256"))
    assert key_server.requests == 1, "an unknown key may ask again only after a pause"


async def test_tokens_without_a_key_id_use_the_cached_only_key(
    key_server: KeyServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("plainloop.server.auth.jwks.COOLDOWN_S", 0.0)
    key = rsa.generate_private_key(65537, 2048)
    key_server.add("one", key)
    checked = make_authenticator(jwks_url=key_server.url)
    claims = {"sub": "ann", "tenant": "acme", "exp": time.time() + 60}
    token = jwt.encode(claims, key, algorithm="RS256")

    for _ in range(3):
        assert (await checked.identify(token)).user_id == "ann"
    assert key_server.requests == 1


async def test_a_rotated_only_key_is_found_for_tokens_without_an_id(
    key_server: KeyServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("plainloop.server.auth.jwks.COOLDOWN_S", 0.0)
    old, new = (rsa.generate_private_key(65537, 2048) for _ in range(2))
    key_server.add("one", old)
    checked = make_authenticator(jwks_url=key_server.url)
    claims = {"sub": "ann", "tenant": "acme", "exp": time.time() + 60}
    await checked.identify(jwt.encode(claims, old, algorithm="RS256"))
    key_server.add("one", new)

    assert (await checked.identify(jwt.encode(claims, new, algorithm="RS256"))).user_id == "ann"
    with pytest.raises(AuthError):
        await checked.identify(jwt.encode(claims, old, algorithm="RS256"))


async def test_an_rsa_key_under_2048_bits_is_refused(key_server: KeyServer):
    weak = rsa.generate_private_key(65537, 1024)
    key_server.add("one", weak)
    checked = make_authenticator(jwks_url=key_server.url)

    with pytest.raises(AuthError, match="an unknown key"):
        await checked.identify(sign(weak, "RS256"))


async def test_a_rotated_key_is_found_after_the_cache_expires(
    key_server: KeyServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("plainloop.server.auth.jwks.COOLDOWN_S", 0.0)
    ec_key = ec.generate_private_key(ec.SECP256R1())
    checked = make_authenticator(jwks_url=key_server.url)
    with pytest.raises(AuthError):
        await checked.identify(sign(ec_key, "ES256"))
    key_server.add("one", ec_key)

    assert (await checked.identify(sign(ec_key, "ES256"))).user_id == "ann"
    key_server.is_broken = True
    assert (await checked.identify(sign(ec_key, "ES256"))).user_id == "ann"


async def test_unreachable_public_keys_are_503_not_401(key_server: KeyServer):
    key_server.is_broken = True
    checked = make_authenticator(jwks_url=key_server.url)
    key = rsa.generate_private_key(65537, 2048)
    for _ in range(2):
        with pytest.raises(ServiceUnavailable):
            await checked.identify(sign(key, "RS256"))
    assert key_server.requests == 1


async def test_over_http_a_missing_token_is_401(served: Served):
    nobody = await served.client()
    del nobody.headers["authorization"]
    asked = await nobody.get("/api/config")
    expired = await nobody.get(
        "/api/config", headers={"authorization": f"Bearer {sign(exp=time.time() - 60)}"}
    )
    basic = await nobody.get("/api/config", headers={"authorization": "Basic YTpi"})

    assert (asked.status_code, expired.status_code, basic.status_code) == (401, 401, 401)
    assert asked.headers["www-authenticate"] == "Bearer"
    assert expired.json()["error"]["code"] == "TOKEN_EXPIRED"
    assert (await nobody.get("/api/health")).status_code == 200
