"""What a message is made of besides text: code to copy, files that are dropped, pictures."""

from __future__ import annotations

import base64

from playwright.async_api import expect

from tests.console.conftest import SAID, Look
from tests.machine.scripted import text, triage
from tests.server.conftest import Serve, Served, ask, begin

ANSWER = ".message.assistant:not(.live)"
PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)
COPIES = "navigator.clipboard.writeText = async (text) => (window.copied = text)"
# Whether the page has taken the file: else the browser opens it in place of the page.
DROP = """() => {
    const dataTransfer = new DataTransfer();
    for (const name of ["one.txt", "two.txt"])
        dataTransfer.items.add(new File(["text"], name, { type: "text/plain" }));
    const drop = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector("main").dispatchEvent(drop);
    return drop.defaultPrevented;
}"""
# A file that is gone when it is read, as a folder: it has a name and nothing to read.
DROP_GONE = """async () => {
    const place = await navigator.storage.getDirectory();
    const handle = await place.getFileHandle("gone.txt", { create: true });
    const writer = await handle.createWritable();
    await writer.write("text");
    await writer.close();
    const gone = await handle.getFile();
    await place.removeEntry("gone.txt");
    const dataTransfer = new DataTransfer();
    for (const file of [gone, new File(["kept"], "kept.txt")]) dataTransfer.items.add(file);
    document.querySelector("main").dispatchEvent(
        new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }),
    );
}"""
COUNT_LISTENERS = """() => {
    window.added = 0;
    const add = window.addEventListener;
    window.addEventListener = (name, ...rest) => {
        if (name.startsWith("drag")) window.added += 1;
        return add.call(window, name, ...rest);
    };
}"""


async def test_a_code_block_can_be_copied_without_the_text_around_it(serve: Serve, look: Look):
    said = "Run this:\n\n```sh\nplainloop serve\nplainloop ask x\n```\n\nThen `wait`."
    served = await serve(triage("general"), text(said), auth=False)
    local = await served.client()
    chat = await begin(local)
    await ask(local, chat, "how do I start?")
    viewer = await look(served, f"/#/chat/{chat}")
    page = viewer.page
    await page.evaluate(COPIES)

    await page.locator(".code").get_by_role("button", name="Copy").click()

    assert await page.evaluate("window.copied") == "plainloop serve\nplainloop ask x"
    await expect(page.locator("[aria-live=polite]")).to_contain_text("Copied")
    for width, scheme in ((1440, "light"), (390, "dark")):
        await viewer.look_as(width, scheme)
        assert await viewer.list_barriers() == []


async def test_an_answers_code_scrolls_while_its_table_fits_a_phone(serve: Serve, look: Look):
    line = "x = " + "a_long_name + " * 20 + "1"
    table = (
        "|one way|where it is|what it does|\n|-|-|-|\n|a retry in the service|a file|fails at once|"
    )
    said = f"{table}\n\n```python\nif x:\n    {line}\n```"
    served = await serve(triage("general"), text(said), auth=False)
    local = await served.client()
    chat = await begin(local)
    await ask(local, chat, "how do I start?")
    viewer = await look(served, f"/#/chat/{chat}")
    await viewer.page.set_viewport_size({"width": 390, "height": 844})
    await expect(viewer.page.locator(f"{ANSWER} pre")).to_be_visible()

    code, cells, page = await viewer.page.evaluate(
        f"""["{ANSWER} pre", "{ANSWER} .wide", "html"].map((name) => document.querySelector(name))
        .map((box) => [box.scrollWidth > box.clientWidth, box.clientHeight])"""
    )

    assert (code[0], cells[0], page[0]) == (True, False, False)
    assert code[1] < 90  # two lines: no line is broken into several
    await expect(viewer.page.locator(f"{ANSWER} pre code")).to_have_css("font-size", "13.5px")


COLOURED = """`#` in a sentence.

```python title="a.py"
def sum(n=12):  # not "a string"
    return "def # 3" + '''two
lines'''
```

```unheard
def 12 "as it is"
```

|a|n|
|-|-:|
|b|7|
"""
MARKED = """() => [...document.querySelectorAll(".code span:not(.hint)")].map(
    (part) => [part.className, part.textContent])"""


async def test_code_is_coloured_by_its_language_and_numbers_align_right(serve: Serve, look: Look):
    served = await serve(triage("general"), text(COLOURED), auth=False)
    local = await served.client()
    chat = await begin(local)
    await ask(local, chat, "how do I start?")
    viewer = await look(served, f"/#/chat/{chat}")
    await expect(viewer.page.locator(f"{ANSWER} .code .hint")).to_have_text(["python", "unheard"])

    assert await viewer.page.evaluate(MARKED) == [
        ["keyword", "def"],
        ["number", "12"],
        ["comment", '# not "a string"'],
        ["keyword", "return"],
        ["string", '"def # 3"'],
        ["string", "'''two\nlines'''"],
    ]
    await expect(viewer.page.locator(f"{ANSWER} td").last).to_have_css("text-align", "right")
    for width, scheme in ((1440, "light"), (390, "dark")):
        await viewer.look_as(width, scheme)
        assert await viewer.list_barriers() == []


async def test_files_dropped_on_a_chat_are_attached_to_the_next_message(served: Served, look: Look):
    local = await served.client()
    chat = await begin(local, "This")
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    page = (await look(served, f"/#/chat/{chat}")).page
    await expect(page.locator(ANSWER)).to_have_count(1)

    assert await page.evaluate(DROP)
    for name in ("one.txt", "two.txt"):
        await expect(page.get_by_role("button", name=f"Remove {name}")).to_be_visible()


async def test_typing_does_not_add_the_file_drop_listeners_again(served: Served, look: Look):
    page = (await look(served)).page
    await page.wait_for_selector(SAID)
    await page.evaluate(COUNT_LISTENERS)

    await page.locator(SAID).press_sequentially("four")
    await expect(page.locator(SAID)).to_have_value("four")
    assert await page.evaluate("window.added") == 0
    await page.evaluate(DROP)
    await expect(page.get_by_role("button", name="Remove two.txt")).to_be_visible()
    await expect(page.locator(SAID)).to_have_value("four")  # of the draft as it is now


async def test_files_dropped_during_set_up_are_attached_to_the_message(served: Served, look: Look):
    page = (await look(served)).page
    await expect(page.get_by_role("region", name="Get set up")).to_be_visible()

    await page.evaluate(DROP)
    for name in ("one.txt", "two.txt"):
        await expect(page.get_by_role("button", name=f"Remove {name}")).to_be_visible()


async def test_files_that_cannot_be_read_are_named_and_the_others_attached(
    served: Served, look: Look
):
    page = (await look(served)).page
    await page.wait_for_selector(SAID)

    await page.evaluate(DROP_GONE)
    await expect(page.locator("[aria-live=polite]")).to_contain_text("Cannot read gone.txt.")
    await expect(page.get_by_role("button", name="Remove kept.txt")).to_be_visible()
    await expect(page.get_by_role("button", name="Remove gone.txt")).to_have_count(0)


async def test_nothing_shows_through_below_the_message_box(serve: Serve, look: Look):
    served = await serve(triage("general"), text("what it says\n\n" * 60), auth=False)
    local = await served.client()
    chat = await begin(local)
    await ask(local, chat, "hello")
    page = (await look(served, f"/#/chat/{chat}")).page
    await expect(page.locator(ANSWER)).to_be_visible()
    await page.evaluate("scrollTo(0, 300)")
    box = await page.locator(".talk .composer").bounding_box()
    assert box
    below = {"x": box["x"], "y": box["y"] + box["height"], "width": box["width"], "height": 16}

    seen = await page.screenshot(clip=below)  # type: ignore[arg-type]
    await page.evaluate(
        """() => {
            for (const said of document.querySelectorAll(".message")) said.style.opacity = "0";
        }"""
    )
    assert await page.screenshot(clip=below) == seen  # type: ignore[arg-type]


async def test_a_picture_that_was_sent_is_shown_in_its_message(serve: Serve, look: Look):
    served = await serve(triage("general"), text("A dot."), auth=False)
    local = await served.client()
    chat = await begin(local)
    files = [
        {"name": "dot.png", "media_type": "image/png", "data": PICTURE},
        {"name": "x.txt", "media_type": "text/plain", "data": base64.b64encode(b"x").decode()},
    ]
    await ask(local, chat, "what is this?", files=files)
    page = (await look(served, f"/#/chat/{chat}")).page

    await expect(page.locator(".bubble img")).to_have_js_property("naturalWidth", 1)
    await expect(page.locator(".bubble img")).to_have_attribute("loading", "lazy")
    await expect(page.locator(".bubble").get_by_role("link")).to_have_text(["dot.png", "x.txt"])
