"""Three tasks of somebody who never saw the console: only what stands on the page may be used.

No address, no selector, no key that is not told: a stranger sees words, clicks on them and writes
into what asks for it. How long that takes a person is counted, not timed: the words that stand
before what they look for, and a moment for every act (the keystroke-level model's: to make up
one's mind, to point, to press). How fast the machine is does not count.
"""

from __future__ import annotations

from dataclasses import dataclass

from playwright.async_api import Locator, Page, expect

from packages.documents.tests.samples import LINES, make_pdf
from tests.console.conftest import Look, try_cheaper
from tests.console.conftest import look as look
from tests.server.conftest import Serve, ask, begin
from tests.server.conftest import serve as serve

FIRST_ANSWER_S = 30
RESUME_S = 120
VERDICT_S = 5
WORDS_A_SECOND = 4  # of who reads carefully
ACT_S = 2.5
FILE_S = 30  # to find one's own file in the dialog that every program has
READ_TO = r"""(found) => {
    const read = document.createRange();
    read.setStart(found.closest("main, nav, body"), 0);
    read.setEndAfter(found);
    return read.toString().trim().split(/\s+/).length;
}"""


@dataclass
class Stranger:
    """Sees what is visible, and knows no more."""

    page: Page
    needs_s: float = 0.0  # what reading and acting takes a person

    async def _act(self, found: Locator) -> None:
        """Read from the beginning of this part of the page up to there, then act."""
        words = await found.evaluate(READ_TO)
        self.needs_s += words / WORDS_A_SECOND + ACT_S
        await found.click()

    async def click(self, words: str) -> None:
        on_what = self.page.locator("a:visible, button:visible, summary:visible, label:visible")
        await self._act(on_what.filter(has_text=words).first)

    async def sees(self, words: str) -> None:
        await expect(self.page.locator("body")).to_contain_text(words)


async def test_a_new_user_gets_a_first_answer_within_half_a_minute(serve: Serve, look: Look):
    stranger = Stranger((await look(await serve(auth=False, packs=("careers",)))).page)

    await stranger.sees("How can I help with your job search?")
    await stranger.click("See where I stand")
    answer = stranger.page.get_by_role("article", name="Answer", exact=True)
    await expect(answer).to_contain_text("You have no jobs with status applied or later.")

    assert stranger.needs_s <= FIRST_ANSWER_S


async def test_a_new_user_uploads_a_resume_on_a_phone_within_two_minutes(serve: Serve, look: Look):
    served = await serve(auth=False, packs=("careers",))
    viewer = await look(served, width=390)
    stranger, page = Stranger(viewer.page), viewer.page
    file = {"name": "cv.pdf", "mimeType": "application/pdf", "buffer": make_pdf(*LINES)}

    await stranger.sees("Drop your résumé here")
    async with page.expect_file_chooser() as chooser:
        await stranger.click("Choose a file")
    await (await chooser.value).set_files([file])  # type: ignore[list-item]
    await stranger.sees("Richard Hendriks")
    await stranger.click("Review and correct")
    await expect(page.get_by_role("main")).to_contain_text("Richard Hendriks")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Résumé and profile")

    assert stranger.needs_s + FILE_S <= RESUME_S


async def test_a_new_user_reads_a_reports_verdict_without_scrolling(serve: Serve, look: Look):
    served = await serve(auth=False, packs=("careers",))
    local = await served.client()
    for job in ("Cook at Cafe Uno", "Waiter at Cafe Due"):
        await ask(local, await begin(local), f"add a job: {job}")
    await try_cheaper(served, local, 45, 0)
    stranger = Stranger((await look(served)).page)
    page = stranger.page

    await stranger.click("Operate")
    await stranger.click("Experiments")
    await stranger.click("offline-rules")
    sentence = page.get_by_role("heading", name="gpt-6-luna can replace")
    await expect(sentence).to_be_in_viewport(ratio=1)
    size = await sentence.evaluate("(it) => parseFloat(getComputedStyle(it).fontSize)")
    larger = await page.evaluate(
        "(size) => [...document.querySelectorAll('main *')].filter((it) => it.children.length === 0"
        " && it.textContent.trim() && parseFloat(getComputedStyle(it).fontSize) > size).length",
        size,
    )
    verdict = page.locator("main section, main div").filter(has=sentence).last
    told = (await verdict.inner_text()).split()

    assert (size, larger) == (28, 0)  # nothing is larger: it is read first
    assert len(told) <= WORDS_A_SECOND * VERDICT_S * 2, " ".join(told)
    assert len((await sentence.inner_text()).split()) <= WORDS_A_SECOND * VERDICT_S
