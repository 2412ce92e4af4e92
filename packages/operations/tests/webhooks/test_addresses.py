"""An address that no delivery could reach is refused when the webhook is made."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import InputError
from plainloop_operations.webhooks.addresses import check_address

INTERNAL = (
    "127.0.0.1",
    "10.0.0.5",
    "169.254.169.254",
    "[::1]",
    "[fd00::1]",
    "[::ffff:10.0.0.1]",
    "0.0.0.0",
    "224.0.0.1",
    "192.0.2.1",
    "2130706433",
    "0x7f.1",
    "localhost",
    "LOCALHOST.",
    "a.localhost",
    "db.internal",
    "printer.local",
    "nothing.invalid",
    "hooks.test",
    "postgres",
)


@pytest.mark.parametrize("host", INTERNAL)
def test_an_internal_webhook_url_is_refused_with_the_reason(host: str, settings: Settings):
    with pytest.raises(InputError, match="webhooks are never sent to") as refused:
        check_address(settings, f"https://{host}/hook")

    assert "AGENT_OUTBOUND_ALLOW" in (refused.value.hint or "")


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com:99999/hook",
        "https://example.com:0/hook",
        "https://ann:secret@example.com/hook",
        "http://example.com/hook",
        "ftp://example.com/hook",
        "https:///hook",
        "not an address",
    ],
)
def test_a_webhook_url_that_cannot_be_called_is_refused(url: str, settings: Settings):
    with pytest.raises(InputError):
        check_address(settings, url)


@pytest.mark.parametrize("port", [0, 65_536, 99_999])
def test_an_invalid_webhook_port_is_named(port: int, settings: Settings):
    with pytest.raises(InputError, match=f"{port} is not a valid port: use 1 to 65535"):
        check_address(settings, f"https://example.com:{port}/hook")


@pytest.mark.parametrize(
    "url", ["https://example.com/hook", "https://8.8.8.8:8443/", "https://cafe.de/", "https://b.io"]
)
def test_a_public_webhook_url_is_accepted(url: str, settings: Settings):
    check_address(settings, url)


def test_a_webhook_url_that_the_operator_allows_is_accepted(settings: Settings):
    own = replace(settings, outbound_allow=("hooks.internal:8080", "10.0.0.0/8"))

    check_address(own, "http://hooks.internal:8080/")
    check_address(own, "https://10.1.2.3/")
    with pytest.raises(InputError):
        check_address(own, "https://hooks.internal:9/")
