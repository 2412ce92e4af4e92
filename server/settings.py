"""Settings of the HTTP server: addresses, authentication, limits."""

from __future__ import annotations

from collections.abc import Mapping

from ..agent.config.values import Count, Named, Port, Seconds, Secret, setting
from ..agent.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """`[server]`"""

    host: str = setting(
        "127.0.0.1",
        "address to listen on; without keys in [auth], only loopback addresses are allowed",
    )
    port: Port = setting(8000, "port to listen on; 0: any free one")
    workers: Count = setting(
        1, "processes that serve this port, on Linux; each opens its own connections"
    )
    health_port: Port | None = setting(
        None,
        "separate port for /api/health, /readyz and /metrics, one more for each further worker; "
        "unset: the same port as the API",
    )
    health_host: str = setting("127.0.0.1", "address to listen on for the separate health port")
    origins: tuple[str, ...] = setting(
        (),
        "origins of other web pages that may call this server, such as "
        "https://app.example.com; unset: none",
    )
    query_token: bool = setting(True, "also accept a WebSocket's JWT in ?token=")
    edges: tuple[str, ...] = setting(
        (), "third-party protocols to serve, comma-separated; unset: all; none: -"
    )
    model_names: Named = setting(
        (),
        "further names of agents in the APIs of OpenAI and Anthropic: NAME=AGENT, comma-separated",
    )
    ai_sdk: Count = setting(
        5, "AI SDK version to assume for clients that state none; all versions understand 5"
    )
    metrics: bool = setting(
        True, "serve Prometheus metrics at /metrics, to everyone who can connect"
    )
    uvloop: bool = setting(
        True, "use uvloop for serve and chat if it is installed; false: Python's own event loop"
    )


@dataclass(frozen=True, slots=True)
class AuthSettings:
    """`[auth]`: how users are authenticated. Without jwt_secret and jwks_url, all callers are one
    local user, unless `api_keys` is set.
    """

    jwt_secret: Secret | None = setting(None, "HS256 secret of at least 32 bytes")
    jwks_url: str | None = setting(
        None, "URL of the key set (JWKS) that RS256 and ES256 tokens are checked with"
    )
    issuer: str | None = setting(None, "required value of the claim iss; unset: any")
    audience: str | None = setting(
        None, "required value of the claim aud; unset: aud is not checked"
    )
    user_claim: str = setting("sub", "claim that names the user")
    tenant_claim: str = setting("tenant", "claim that names the tenant")
    tenant: str | None = setting(
        None, "tenant of a token without the tenant claim; unset: such a token is refused"
    )
    admin_claim: str = setting(
        "roles", 'claim that is "admin", or a list with "admin", for administrators of the tenant'
    )
    leeway_s: Seconds = setting(30.0, "seconds by which clocks may differ")
    api_keys: bool = setting(
        False, "if neither jwt_secret nor jwks_url is set: require an API key from every caller"
    )
    user_models: tuple[str, ...] = setting(
        (), "further models that users may choose: provider:model, with * for any part"
    )
    admin_models: tuple[str, ...] = setting(
        ("*",), "further models that the tenant's administrators may choose"
    )


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """`[limits]` of connections and requests."""

    posted_messages: Count = setting(
        1000, "max. new messages in the history that a client sends with a request"
    )
    posted_tokens: Count = setting(200_000, "max. tokens in the new messages of a client's history")
    retried_s: Seconds = setting(
        900.0, "seconds in which a request marked as a retry joins the run of the first request"
    )
    drain_s: Seconds = setting(
        20.0, "seconds that runs have to finish their steps when the server is stopped"
    )
    leave_s: Seconds | None = setting(
        None, "seconds to keep serving, with /readyz failing, before a shutdown begins; unset: none"
    )
    idle_s: Seconds = setting(
        5.0, "seconds that an idle connection is kept open for its next request"
    )
    jwks_cache_s: Seconds = setting(300.0, "seconds that keys read from auth.jwks_url are cached")
    head_timeout_s: Seconds = setting(
        10.0, "max. seconds for a request's line and headers to arrive"
    )
    body_timeout_s: Seconds = setting(120.0, "max. seconds for a request's body to arrive")
    header_bytes: Count = setting(32_768, "max. bytes of one request's line and headers")
    body_bytes: Count = setting(1_000_000, "max. bytes of one request's body")
    message_bytes: Count = setting(
        12_000_000, "max. bytes of a request's body that may contain files"
    )
    frame_bytes: Count = setting(
        12_000_000, "max. bytes of one WebSocket message, including its files"
    )
    requests_per_minute: Count = setting(1200, "max. requests per user and minute, per replica")
    messages_per_minute: Count = setting(120, "max. messages per user and minute, per replica")
    sockets_per_user: Count = setting(50, "max. open WebSockets per user, per replica")
    streams_per_user: Count = setting(200, "max. event streams that one user watches, per replica")
    connections: Count = setting(5000, "max. connections of one replica")


TABLES: Mapping[str, type] = {
    "server": ServerSettings,
    "auth": AuthSettings,
    "limits": ServerLimits,
}
