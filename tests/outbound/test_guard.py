"""The guarded client against hostile URLs, names that change their answer, and hostile servers."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from typing import Any

import pytest

from plainloop.agent.errors import OutboundFailed, OutboundRefused
from plainloop.agent.outbound.addresses import AllowList, parse_allow_list
from plainloop.agent.outbound.client import OutboundRequest, fetch
from plainloop.agent.outbound.guarded import make_guarded_client
from tests.providers.local_server import Reply, run_local

# Every way of writing "somewhere inside" that a URL knows. What the system's resolver takes for an
# address is refused by that address; what it does not know leads nowhere.
HOSTILE = """
http://127.0.0.1/ http://127.0.0.1:80/ http://127.1/ http://127.0.1/ http://0/ http://0.0.0.0/
http://2130706433/ http://0x7f000001/ http://0x7f.0.0.1/ http://0177.0.0.1/ http://017700000001/
http://localhost/ http://LOCALHOST/ http://localhost./ http://127.0.0.1./
http://[::1]/ http://[::]/ http://[0:0:0:0:0:0:0:1]/ http://[::ffff:127.0.0.1]/
http://[::ffff:7f00:1]/ http://[::ffff:a9fe:a9fe]/ http://[::127.0.0.1]/ http://[64:ff9b::7f00:1]/
http://[64:ff9b::a9fe:a9fe]/ http://[2002:7f00:1::]/ http://[2001:0:7f00:1::1]/
http://[fe80::1]/ http://[fe80::1%25lo]/ http://[fd00:ec2::254]/ http://[fc00::1]/ http://[ff02::1]/
http://169.254.169.254/latest/meta-data/ http://[::ffff:169.254.169.254]/ http://2852039166/
http://0xa9fea9fe/ http://10.0.0.1/ http://172.16.0.1/ http://192.168.0.1/ http://100.64.0.1/
http://100.100.100.200/ http://168.63.129.16/ http://198.18.0.1/ http://224.0.0.1/
http://255.255.255.255/ http://240.0.0.1/ http://192.0.2.1/ http://203.0.113.1/
http://user@127.0.0.1/ http://user:secret@example.com/ http://example.com:secret@127.0.0.1/
http://8.8.8.8:22/ http://8.8.8.8:25/ http://8.8.8.8:6379/ https://8.8.8.8:8443/ http://8.8.8.8:0/
http://①②⑦.⓪.⓪.①/ http://127。0。0。1/ http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/
file:///etc/passwd ftp://example.com/ gopher://127.0.0.1:6379/_INFO dict://127.0.0.1:11211/
data:text/html,hi javascript:alert(1) unix:///run/x.sock http:///path http://
http://[::1 http://127.0.0.1:99999/ http://exa<mple.com/ http://%31%32%37.0.0.1/
http://[::ffff:0:127.0.0.1]/ http://[::ffff:0:0:127.0.0.1]/ http://[64:ff9b:1::7f00:1]/
http://[64:ff9b:1:ffff:ffff:ffff:7f00:1]/ http://[fec0::1]/ http://[100::1]/ http://[3fff::1]/
http://[fe80::1%eth0]/ http://[v1.fe80::1]/ http://192.0.0.1/ http://192.0.0.170/
http://198.19.255.255/ http://127．0．0．1/ http://１２７.0.0.1/ http://ｌｏｃａｌｈｏｓｔ/
http://127.00000.00000.1/ http://4294967297/ http://0x100000001/ http://loc%61lhost/
http://x.localhost/ http://xn--0/ http://a..b/ http://127.0.0.1../ http://127.0.0.1#@example.com/
http://127.0.0.1?@example.com/ http://127.0.0.1\\@example.com/ http://127.0.0.1%2f@example.com/
""".split()
RELATIVE_PLACES = [
    "//127.0.0.1:9/",
    "//169.254.169.254/",
    "//[::ffff:127.0.0.1]/",
    "//0/",
    "//user@0/",
]
RELATIVE = ["", "//127.0.0.1/", "example.com", "/path", "http://exa mple.com/", "http://a\tb.com/"]


def test_the_table_of_hostile_forms_is_long_enough():
    assert len(set(HOSTILE)) >= 95


@pytest.mark.parametrize("url", HOSTILE + RELATIVE)
async def test_internal_and_invalid_urls_are_never_fetched(url: str):
    with pytest.raises((OutboundRefused, OutboundFailed)) as caught:
        await fetch(OutboundRequest(url, timeout_s=5))

    assert "secret" not in caught.value.message


@pytest.mark.parametrize(
    "url", [*RELATIVE_PLACES, *(url for url in HOSTILE if "8.8.8.8" not in url)]
)
async def test_redirects_to_internal_addresses_are_refused(url: str):
    moved = Reply(b"", 302, {"location": url.encode("utf-8").decode("latin-1")})
    async with run_local(moved, Reply(b"inside")) as local:
        with pytest.raises((OutboundRefused, OutboundFailed)):
            await fetch(OutboundRequest(f"{local.url}/start", timeout_s=5), open_only(local.url))

    assert [item["path"] for item in local.requests] == ["/start"]


async def test_dns_rebinding_reaches_no_internal_address():
    answers = [["127.0.0.2"], ["127.0.0.1"]]

    async def rebind(host: str, port: int) -> list[str]:
        return answers.pop(0)

    async with run_local(Reply(b"inside")) as local:
        port = int(local.url.rpartition(":")[2])
        allow = parse_allow_list((f"127.0.0.2:{port}",))
        url = f"http://rebinding.example:{port}/"
        # 127.0.0.2 is open but nobody listens there: the connection goes there and nowhere else.
        with pytest.raises(OutboundFailed):
            await fetch(OutboundRequest(url), allow, resolve=rebind)
        # The next request asks anew, and the new answer is checked.
        with pytest.raises(OutboundRefused, match="private or reserved"):
            await fetch(OutboundRequest(url), allow, resolve=rebind)

    assert answers == []
    assert local.requests == []


async def test_the_checked_address_is_used_with_the_original_host_name():
    asked: list[tuple[str, int]] = []

    async def look_up(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return ["127.0.0.1"]

    async with run_local(Reply(b"hello", headers={"content-type": "text/plain"})) as local:
        port = int(local.url.rpartition(":")[2])
        allow = parse_allow_list((f"127.0.0.1:{port}",))
        answer = await fetch(
            OutboundRequest(f"http://no-such-name.example:{port}/"), allow, resolve=look_up
        )

    assert (answer.content, answer.media_type) == (b"hello", "text/plain")
    assert asked == [("no-such-name.example", port)]
    assert local.requests[0]["headers"]["host"] == f"no-such-name.example:{port}"


async def test_a_name_with_public_and_internal_addresses_is_refused():
    async def both(host: str, port: int) -> list[str]:
        return ["8.8.8.8", "127.0.0.1"]

    with pytest.raises(OutboundRefused, match="private or reserved"):
        await fetch(OutboundRequest("http://both.example/"), resolve=both)


async def test_each_redirect_is_resolved_and_checked_again():
    asked: list[str] = []

    async def look_up(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if host == "open.example" else ["10.0.0.7"]

    async with run_local() as local:
        port = int(local.url.rpartition(":")[2])
        moved = {"location": f"http://inside.example:{port}/"}
        local.replies.append(Reply(b"", 301, moved))
        with pytest.raises(OutboundRefused, match=r"inside\.example"):
            await fetch(
                OutboundRequest(f"http://open.example:{port}/"),
                parse_allow_list((f"open.example:{port}",)),
                resolve=look_up,
            )

    assert asked == ["open.example", "inside.example"]


async def test_cookies_are_not_kept_between_redirects():
    async with run_local() as local:
        moved = {"location": f"{local.url}/next", "set-cookie": "session=1; Path=/"}
        local.replies += [Reply(b"", 302, moved), Reply(b"there")]
        answer = await fetch(OutboundRequest(local.url), open_only(local.url))

    assert [item["headers"].get("cookie") for item in local.requests] == [None, None]
    assert "set-cookie" not in answer.headers


async def test_proxy_variables_are_ignored_for_guarded_fetches(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
):
    netrc = tmp_path / "netrc"
    netrc.write_text("default login me password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with run_local(Reply(b"direct")) as local:
        answer = await fetch(OutboundRequest(local.url), open_only(local.url))

    assert answer.content == b"direct"
    assert "authorization" not in local.requests[0]["headers"]


async def test_redirect_loops_end_with_an_error():
    async with run_local() as local:
        local.replies.append(Reply(b"", 302, {"location": f"{local.url}/again"}))
        with pytest.raises(OutboundFailed, match="redirect loop"):
            await fetch(OutboundRequest(local.url, max_redirects=3), open_only(local.url))

    assert len(local.requests) == 4


async def test_a_large_answer_is_cut_at_the_limit():
    async with run_local(Reply(b"x" * 50_000, chunk_size=1000)) as local:
        answer = await fetch(OutboundRequest(local.url, max_bytes=10_000), open_only(local.url))

    assert (len(answer.content), answer.is_cut) == (10_000, True)


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
async def test_a_decompression_bomb_is_cut_at_the_limit(pack: Any):
    bomb = Reply(pack(bytes(200_000_000)), headers={"content-encoding": "gzip"})
    async with run_local(bomb) as local:
        tracemalloc.start()
        answer = await fetch(OutboundRequest(local.url, max_bytes=10_000), open_only(local.url))
        _, peak_bytes = tracemalloc.get_traced_memory()
        tracemalloc.stop()

    assert (len(answer.content), answer.is_cut) == (10_000, True)
    assert peak_bytes < 20_000_000, "not unpacked, and then cut"


async def test_a_compressed_answer_is_decompressed():
    packed = Reply(gzip.compress("Grüße".encode()), headers={"content-encoding": "gzip"})
    async with run_local(packed) as local:
        answer = await fetch(OutboundRequest(local.url), open_only(local.url))

    assert (answer.content.decode(), answer.is_cut) == ("Grüße", False)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(b"no gzip at all", headers={"content-encoding": "gzip"}),
        Reply(b"x", headers={"content-encoding": "br"}),
        Reply(b"half", cut_at=2, end="drop"),
    ],
)
async def test_an_unreadable_answer_gives_a_readable_error(reply: Reply):
    async with run_local(reply) as local:
        with pytest.raises(OutboundFailed):
            await fetch(OutboundRequest(local.url), open_only(local.url))


async def test_a_silent_server_times_out():
    async with run_local(Reply(b"half", end="hang")) as local:
        with pytest.raises(OutboundFailed, match=r"did not answer within 0\.3 s"):
            await fetch(OutboundRequest(local.url, timeout_s=0.3), open_only(local.url))


async def test_the_http_client_for_sdks_is_guarded():
    async with make_guarded_client() as client:
        with pytest.raises(OutboundRefused):
            await client.post("http://127.0.0.1:11434/api/chat", json={})


def open_only(url: str) -> AllowList:
    return parse_allow_list((url.removeprefix("http://"),))
