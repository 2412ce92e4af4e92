"""The HTTP transport to providers against real sockets that answer byte for byte."""

from __future__ import annotations

import asyncio
import datetime
import gzip
import ipaddress
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvloop
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from plainloop.agent.providers.http import clients, connection, dialing
from plainloop.agent.providers.http.transport import ProviderTransport

PLAIN = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"
CHUNKED = (
    b"HTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\nx-a: 1\r\n\r\n"
    b"3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nx-trailer: z\r\n\r\n"
)
UNTIL_END = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\nhello"
DROP = b"(drop)"
SILENCE = b"(silence)"


class Server:
    """Answers the n-th request of the process with the n-th list of pieces; the last repeats."""

    def __init__(self, answers: list[list[bytes]]) -> None:
        self.answers = answers
        self.requests: list[bytes] = []
        self.connections = 0
        self.gone = asyncio.Event()  # a client has closed its connection
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while await self._serve_one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            self.gone.set()
        finally:
            writer.close()
            await writer.wait_closed()

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-le")]
        body = await reader.readexactly(int(lengths[0].split(b":")[1])) if lengths else b""
        if b"transfer-encoding: chunked" in head.lower():
            body = await reader.readuntil(b"0\r\n\r\n")
        self.requests.append(head + body)
        for piece in self.answers[min(len(self.requests), len(self.answers)) - 1]:
            if piece == DROP:
                return False
            if piece == SILENCE:
                await reader.readexactly(1)
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
        return True


@asynccontextmanager
async def serving(
    *answers: list[bytes], tls: ssl.SSLContext | None = None
) -> AsyncIterator[Server]:
    server = Server(list(answers))
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=tls)
    scheme = "https" if tls else "http"
    server.url = f"{scheme}://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1"
    try:
        yield server
    finally:
        listening.close()


@asynccontextmanager
async def connecting(tls: ssl.SSLContext | None = None, **limits: Any) -> AsyncIterator[Any]:
    limits = {"max_connections": 10, "max_keepalive_connections": 5, **limits}
    context = tls or ssl.create_default_context()
    transport = ProviderTransport(context, httpx2.Limits(**limits))
    async with httpx2.AsyncClient(transport=transport, timeout=20) as client:
        yield client


@pytest.mark.parametrize("answer", [PLAIN, CHUNKED, UNTIL_END])
async def test_http_answers_do_not_depend_on_chunk_boundaries(answer: bytes) -> None:
    ends = [DROP] if answer is UNTIL_END else []
    ways = [[answer[:at], answer[at:], *ends] for at in range(1, len(answer))]
    ways.append([*(bytes([byte]) for byte in answer), *ends])
    async with serving(*ways) as server, connecting() as client:
        for _ in ways:
            response = await client.post(server.url, content=b"{}")
            assert (response.status_code, response.content) == (200, b"hello")
    assert server.connections == (len(ways) if ends else 1)


async def test_http_requests_are_sent_as_built() -> None:
    async with serving([CHUNKED]) as server, connecting() as client:
        response = await client.post(
            f"{server.url}?a=b", content=b'{"x": 1}', headers={"X-Key": "k"}
        )
    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /v1?a=b HTTP/1.1\r\nhost: 127.0.0.1:")
    assert b"\r\nx-key: k" in head
    assert body == b'{"x": 1}'
    assert (response.http_version, response.reason_phrase) == ("HTTP/1.1", "Fine")
    assert response.headers["x-a"] == "1"


async def test_a_body_of_unknown_length_is_sent_in_chunks() -> None:
    async def parts() -> AsyncIterator[bytes]:
        yield b"one "
        yield b"two"

    async with serving([PLAIN]) as server, connecting() as client:
        await client.post(server.url, content=parts())
    assert server.requests[0].endswith(b"\r\n\r\n4\r\none \r\n3\r\ntwo\r\n0\r\n\r\n")


async def test_compressed_answers_are_read() -> None:
    packed = gzip.compress(b"hello" * 1000)
    head = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(packed)
    async with serving([head, packed]) as server, connecting() as client:
        assert (await client.get(server.url)).content == b"hello" * 1000


@pytest.mark.parametrize(
    "interim", [b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Early\r\nx-a: 0\r\n\r\n"]
)
async def test_informational_http_responses_are_skipped(interim: bytes) -> None:
    async with serving([interim, interim + CHUNKED]) as server, connecting() as client:
        for _ in range(2):
            response = await client.post(server.url, content=b"{}")
            assert (response.status_code, response.reason_phrase) == (200, "Fine")
            assert (response.headers.multi_items(), response.content) == (
                [("transfer-encoding", "chunked"), ("x-a", "1")],
                b"hello",
            )
    assert server.connections == 1


@pytest.mark.parametrize(
    ("answer", "connections"),
    [
        (b"HTTP/1.1 204 No Content\r\n\r\n", 1),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", 1),
        (b"HTTP/1.1 200 OK\r\nConnection: close\r\ncontent-length: 0\r\n\r\n", 2),
        (b"HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n", 2),
        (b"HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 Another\r\n\r\n", 2),
    ],
)
async def test_connections_are_kept_alive_if_the_server_allows(
    answer: bytes, connections: int
) -> None:
    async with serving([answer]) as server, connecting() as client:
        for _ in range(2):
            assert (await client.post(server.url, content=b"{}")).content == b""
    assert server.connections == connections


async def test_an_answer_to_head_has_no_body() -> None:
    async with serving([PLAIN.removesuffix(b"hello")]) as server, connecting() as client:
        response = await client.head(server.url)
    assert (response.headers["content-length"], response.content) == ("5", b"")


async def test_unrequested_bytes_are_not_read_as_an_answer() -> None:
    """Bytes on an idle connection, sent before the next request, would be taken for its answer."""
    answers = [PLAIN, PLAIN.replace(b"hello", b"other")], [PLAIN]
    async with serving(*answers) as server, connecting() as client:
        for _ in range(2):
            assert (await client.post(server.url, content=b"{}")).content == b"hello"
            while server.connections == 1 and any(client._transport._idle.values()):
                await asyncio.sleep(0)
    assert server.connections == 2


@pytest.mark.parametrize(("method", "is_repeated"), [("GET", True), ("POST", False)])
async def test_a_closed_idle_connection_causes_no_repeated_request(
    method: str, is_repeated: bool
) -> None:
    """The server closes it in the moment in which the next request leaves."""
    async with serving([PLAIN], [DROP], [PLAIN]) as server, connecting() as client:
        await client.request(method, server.url)
        if is_repeated:
            assert (await client.request(method, server.url)).content == b"hello"
        else:
            with pytest.raises(httpx2.RemoteProtocolError, match="Server disconnected"):
                await client.request(method, server.url)
    assert len(server.requests) == (3 if is_repeated else 2)


async def test_a_partly_answered_request_is_never_repeated() -> None:
    async with serving([PLAIN], [b"HTTP/1.1 2", DROP], [PLAIN]) as server, connecting() as client:
        await client.get(server.url)
        with pytest.raises(httpx2.RemoteProtocolError, match="Server disconnected"):
            await client.get(server.url)
    assert len(server.requests) == 2


async def test_slow_readers_exert_back_pressure() -> None:
    size = 20_000_000  # more than the sockets of both sides hold
    head = b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % size
    async with serving([head, bytes(size)]) as server, connecting() as client:
        transport: Any = client._transport
        async with client.stream("GET", server.url) as response:
            (held,) = transport._open
            while not held._is_paused:
                await asyncio.sleep(0)
            assert held._size <= 2 * connection.MAX_BUFFERED_BYTES
            assert len(await response.aread()) == size


async def test_a_server_that_accepts_no_bytes_times_out() -> None:
    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.pause_reading()  # pyright: ignore[reportAttributeAccessIssue]

    async def parts() -> AsyncIterator[bytes]:
        while True:
            yield bytes(1_000_000)

    listening = await asyncio.start_server(listen, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/"
    async with connecting() as client:
        for body in (bytes(50_000_000), parts()):
            with pytest.raises(httpx2.WriteTimeout):
                await client.post(url, content=body, timeout=httpx2.Timeout(20, read=0.2))
    listening.close()


async def test_an_immediate_disconnect_fails_at_once() -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.abort()

    listening = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/"
    async with asyncio.timeout(20), connecting() as client:
        for _ in range(20):
            with pytest.raises((httpx2.ReadError, httpx2.RemoteProtocolError)):
                await client.post(url, content=b"{}", timeout=None)
    listening.close()


async def test_an_unreachable_address_does_not_delay_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dialing, "NEXT_ADDRESS_S", 0.01)
    looked_up = []

    def get_addresses(host: str, port: int, flags: int = 0, **_: Any) -> list[Any]:
        if flags:
            raise socket.gaierror
        looked_up.append(host)
        nowhere, here = ("240.0.0.1", port), ("127.0.0.1", port)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", at) for at in (nowhere, here)]

    monkeypatch.setattr(socket, "getaddrinfo", get_addresses)
    async with serving([PLAIN]) as server, connecting() as client:
        url = server.url.replace("127.0.0.1", "provider.invalid")
        asked = [client.post(url, content=b"{}") for _ in range(3)]
        assert [item.content for item in await asyncio.gather(*asked)] == [b"hello"] * 3
    assert (looked_up, server.connections) == (["provider.invalid"], 3)


async def test_idle_http_connections_are_closed_without_a_request() -> None:
    async with serving([PLAIN]) as server, connecting(keepalive_expiry=0.0) as client:
        await client.post(server.url, content=b"{}")
        await asyncio.wait_for(server.gone.wait(), 20)


async def test_idle_http_connections_expire() -> None:
    async with serving([PLAIN]) as server, connecting(keepalive_expiry=0.0) as client:
        await client.post(server.url, content=b"{}")
        await client.post(server.url, content=b"{}")
    assert server.connections == 2


async def test_a_request_waits_while_all_connections_are_in_use() -> None:
    async with serving([PLAIN]) as server, connecting(max_connections=2) as client:
        asked = [client.post(server.url, content=b"{}") for _ in range(20)]
        assert [item.content for item in await asyncio.gather(*asked)] == [b"hello"] * 20
    assert server.connections == 2


async def test_waiting_for_a_connection_has_its_own_limit() -> None:
    begun = b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhel"
    answers = [begun, SILENCE], [PLAIN]
    async with serving(*answers) as server, connecting(max_connections=1) as client:
        async with client.stream("GET", server.url):
            with pytest.raises(httpx2.TimeoutException):
                await client.get(server.url, timeout=httpx2.Timeout(20, pool=0.01))
        assert (await client.get(server.url)).content == b"hello"


async def test_silence_before_or_within_an_answer_times_out() -> None:
    begun = b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhel"
    async with serving([SILENCE], [begun, SILENCE], [PLAIN]) as server, connecting() as client:
        for _ in range(2):
            with pytest.raises(httpx2.ReadTimeout):
                await client.get(server.url, timeout=httpx2.Timeout(20, read=0.05))
        assert (await client.get(server.url)).content == b"hello"
    assert server.connections == 3


@pytest.mark.parametrize(
    ("pieces", "told"),
    [
        ([DROP], "Server disconnected without sending a response."),
        ([b"HTTP/1.1 200 OK\r\ncont", DROP], "Server disconnected without sending a response."),
        ([PLAIN[:-1], DROP], "peer closed connection without sending complete message body"),
        ([CHUNKED[:-3], DROP], "peer closed connection without sending complete message body"),
    ],
)
async def test_a_prematurely_closed_connection_is_an_error(pieces: list[bytes], told: str) -> None:
    async with serving(pieces) as server, connecting() as client:
        with pytest.raises(httpx2.RemoteProtocolError) as caught:
            await client.post(server.url, content=b"{}")
    assert str(caught.value) == told


@pytest.mark.parametrize(
    "answer",
    [
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nx: " + b"a" * 200_000 + b"\r\n\r\n",
    ],
)
async def test_a_non_http_response_is_an_error(answer: bytes) -> None:
    async with serving([answer, SILENCE]) as server, connecting() as client:
        with pytest.raises(httpx2.RemoteProtocolError):
            await client.post(server.url, content=b"{}")


async def test_closing_an_answer_early_closes_its_connection() -> None:
    begun = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nhel\r\n"
    async with serving([begun, SILENCE]) as server, connecting() as client:
        async with client.stream("POST", server.url, content=b"{}") as response:
            async for part in response.aiter_bytes():
                assert part == b"hel"
                break
        await asyncio.wait_for(server.gone.wait(), 20)


async def test_a_cancelled_request_frees_its_connection() -> None:
    async with serving([SILENCE], [PLAIN]) as server, connecting(max_connections=1) as client:
        asking = asyncio.create_task(client.post(server.url, content=b"{}"))
        while not server.requests:
            await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await asyncio.wait_for(server.gone.wait(), 20)
        assert (await client.post(server.url, content=b"{}")).content == b"hello"


@pytest.mark.parametrize("header", ["two\r\nlines", "a\nb", "a\0b"])
async def test_header_values_with_line_breaks_are_refused(header: str) -> None:
    async with serving([PLAIN]) as server, connecting() as client:
        with pytest.raises(httpx2.LocalProtocolError):
            await client.get(server.url, headers={"x-key": header})
    assert server.requests == []


async def test_a_refused_connection_is_an_error_with_its_address(unused_tcp_port: int) -> None:
    async with connecting() as client:
        with pytest.raises(httpx2.ConnectError):
            await client.get(f"http://127.0.0.1:{unused_tcp_port}/")
        with pytest.raises(httpx2.ConnectError):
            await client.get("http://no-such-host.invalid/")
        with pytest.raises(httpx2.UnsupportedProtocol):
            await client.get("ftp://127.0.0.1/")


async def test_tls_certificates_are_verified(certificate: Path) -> None:
    serving_tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serving_tls.load_cert_chain(certificate)
    async with serving([CHUNKED], tls=serving_tls) as server:
        async with connecting(ssl.create_default_context(cafile=str(certificate))) as client:
            for _ in range(2):
                assert (await client.post(server.url, content=b"{}")).content == b"hello"
            assert server.connections == 1
            with pytest.raises(httpx2.ConnectError, match="mismatch"):
                await client.get(server.url.replace("127.0.0.1", "localhost"))
        async with connecting() as client:
            with pytest.raises(httpx2.ConnectError, match="verify failed"):
                await client.get(server.url)


@pytest.mark.parametrize("has_proxy", [False, True])
async def test_proxy_variables_are_used(has_proxy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    await clients.close_clients()
    for name in (
        "http_proxy",
        "HTTP_PROXY",
        "https_proxy",
        "HTTPS_PROXY",
        "all_proxy",
        "ALL_PROXY",
    ):
        monkeypatch.delenv(name, raising=False)
    async with serving([PLAIN]) as server:
        if has_proxy:
            monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1"))
        address = "http://provider.invalid/v1" if has_proxy else server.url
        assert (await clients.open_http().get(address)).content == b"hello"
    await clients.close_clients()
    assert server.requests[0].startswith(b"GET http://provider" if has_proxy else b"GET /v1 ")


@pytest.mark.parametrize(
    "scenario",
    [
        test_http_requests_are_sent_as_built,
        test_a_body_of_unknown_length_is_sent_in_chunks,
        test_silence_before_or_within_an_answer_times_out,
        test_closing_an_answer_early_closes_its_connection,
        test_a_cancelled_request_frees_its_connection,
        test_unrequested_bytes_are_not_read_as_an_answer,
        test_slow_readers_exert_back_pressure,
        test_a_server_that_accepts_no_bytes_times_out,
        test_an_immediate_disconnect_fails_at_once,
        test_idle_http_connections_are_closed_without_a_request,
        test_tls_certificates_are_verified,
    ],
)
def test_the_http_transport_works_under_uvloop(
    scenario: Callable[..., Coroutine[Any, Any, None]], certificate: Path
) -> None:
    given = (certificate,) if scenario is test_tls_certificates_are_verified else ()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(scenario(*given))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A self-signed certificate for 127.0.0.1 with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    now = datetime.datetime.now(datetime.UTC)
    day = datetime.timedelta(days=1)
    alternative = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    yield path
