"""Seventeen more files that cost more than they weigh: refused by name, or read within limits."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from packages.documents.tests import bombs
from packages.documents.tests.children import list_children, wait_for_child
from packages.documents.tests.samples import make_pdf_bomb
from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import InputError
from plainloop_documents.reading.files import read_file

# So long that none of them is ended by it, but the one that would go on for days.
LIMITS = replace(Limits(), upload_parse_s=200.0)
HURRIED = replace(Limits(), upload_parse_s=5.0)
CGROUPS = Path("/sys/fs/cgroup")
LITTLE_BYTES = 64 << 20

REFUSED: dict[Callable[[], bytes], str] = {
    bombs.nested_zips: "FILE_UNSUPPORTED",
    bombs.overlapping_zip: "FILE_TOO_LARGE",
    bombs.crowded_zip: "FILE_TOO_LARGE",
    bombs.quadratic_entity: "FILE_UNSAFE",
    bombs.late_declaration: "FILE_UNSAFE",
    bombs.deep_document: "FILE_CORRUPT",
    bombs.one_long_word: "FILE_CORRUPT",
    bombs.circular_drawing: "FILE_WITHOUT_TEXT",
    bombs.circular_tables: "FILE_TOO_LARGE",
    bombs.broken_table: "FILE_WITHOUT_TEXT",
    bombs.packed_twice: "FILE_TOO_LARGE",
    bombs.run_lengths: "FILE_TOO_LARGE",
}
READ = (bombs.external_relations, bombs.crowded_tag, bombs.huge_picture, bombs.circular_pages)


@pytest.mark.parametrize("make", REFUSED, ids=lambda make: make.__name__)
async def test_a_decompression_bomb_is_refused_with_its_reason(make: Callable[[], bytes]) -> None:
    before = list_children()
    content = make()
    assert len(content) <= LIMITS.upload_bytes

    with pytest.raises(InputError) as caught:
        await read_file(content, "cv.file", LIMITS)

    assert caught.value.code == REFUSED[make]
    assert caught.value.hint
    assert list_children() <= before


@pytest.mark.parametrize("make", READ, ids=lambda make: make.__name__)
async def test_files_that_are_costly_only_to_render_are_read(make: Callable[[], bytes]) -> None:
    content = make()
    assert len(content) <= LIMITS.upload_bytes

    assert (await read_file(content, "cv.file", LIMITS)).text == bombs.WORDS


async def test_a_reader_process_beyond_its_time_limit_is_killed() -> None:
    before = list_children()

    with pytest.raises(InputError) as caught:
        await read_file(bombs.wide_map(), "cv.pdf", HURRIED)

    # By its time, or on a fast machine by the memory that it has filled by then.
    assert caught.value.code in ("FILE_TOO_SLOW", "FILE_TOO_LARGE")
    assert list_children() <= before


async def test_reading_a_document_fetches_nothing_from_the_network() -> None:
    asked: list[str] = []

    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append("asked")
        writer.close()

    async with await asyncio.start_server(client, "127.0.0.1", 0) as server:
        content = bombs.external_relations(server.sockets[0].getsockname()[1])
        assert (await read_file(content, "cv.docx", LIMITS)).text == bombs.WORDS
    assert asked == []


async def read_until_killed(kill: Callable[[psutil.Process], None]) -> InputError:
    before = list_children()
    task = asyncio.create_task(read_file(make_pdf_bomb(), "cv.pdf", LIMITS))
    kill(await wait_for_child(task, before))
    with pytest.raises(InputError) as caught:
        await task
    return caught.value


async def test_a_reader_killed_by_the_system_is_logged_and_has_its_own_code(
    caplog: pytest.LogCaptureFixture,
) -> None:
    error = await read_until_killed(lambda child: child.send_signal(signal.SIGKILL))

    assert error.code == "FILE_READER_KILLED"
    assert error.message.startswith(
        "cv.pdf could not be read completely: the system ended the reader"
    )
    assert "reader_killed" in caplog.messages


@pytest.fixture
def little_memory() -> Iterator[Path]:
    """What holds the numbers of processes that have little memory together."""
    name = f"plainloop{os.getpid()}"
    kinds = {
        CGROUPS / "memory" / name: ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes"),
        CGROUPS / name: ("memory.max", "memory.swap.max"),
    }
    for group, (limit, with_swap) in kinds.items():
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            (group / limit).write_text(str(LITTLE_BYTES))
            with contextlib.suppress(OSError):  # where swap is not counted
                (group / with_swap).write_text(str(LITTLE_BYTES))
            yield group / "cgroup.procs"
            return
        except OSError:
            continue
        finally:
            with contextlib.suppress(OSError):
                group.rmdir()
    pytest.skip("only root may bound the memory of a group of processes, and not everywhere")


async def test_a_reader_killed_for_memory_has_the_code_file_reader_killed(
    little_memory: Path,
) -> None:
    error = await read_until_killed(lambda child: void(little_memory.write_text(str(child.pid))))

    assert error.code == "FILE_READER_KILLED"


def void(value: object) -> None:
    """For what is done, and not asked."""


@pytest.mark.skipif(not Path("/proc/self/oom_score_adj").exists(), reason="Linux has it")
async def test_the_reader_process_is_the_kernels_first_choice_when_memory_ends() -> None:
    before = list_children()
    task = asyncio.create_task(read_file(make_pdf_bomb(), "cv.pdf", LIMITS))
    child = await wait_for_child(task, before)
    score = Path(f"/proc/{child.pid}/oom_score_adj")
    while score.read_text() != "1000\n":  # from its first moments on
        assert not task.done()
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
