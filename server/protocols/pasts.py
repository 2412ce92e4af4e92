"""Match what a client posts before its newest message with its thread; store the rest there, once.

One mechanism for every protocol: greetings, pasts from elsewhere and queued messages reach the
model in order. A posted message is known by its id in the conversation, else by its text.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from ...agent.base.messages.contents import mark_posted
from ...agent.base.messages.files import read_files
from ...agent.base.text.cleaning import clean_text
from ...agent.config.settings import Settings
from ...agent.core.api import ApiRequest
from ...agent.dataclasses import dataclass, field
from ...agent.errors import ConflictError
from ...agent.store.clients.names import Place, save_place
from ...agent.store.clients.pasts import StoredText, append_messages, list_texts
from ...agent.store.records import ThreadInfo
from ...agent.types import FilePart, RunRequest
from ..routes.showing import make_message_id
from ..settings import ServerLimits
from .conversations import Conversations, PostedMessage, read_history

ID_REUSED: Final = "MESSAGE_ID_REUSED"
# Bounded: a thread that other clients write to all the time is answered 409, not tried for ever.
_MAX_TRIES: Final = 3  # while other requests write to the same thread


@dataclass(slots=True)
class Turn:
    """A user's message in a thread, with its answers' texts; all texts without white space."""

    position: int
    text: str
    answers: str = ""
    has_run: bool = False


@dataclass(frozen=True, slots=True)
class Past:
    """The user's messages of a thread with their answers, and the ids that clients know.
    end: the position of the next message.
    """

    turns: list[Turn]
    end: int
    positions: Mapping[str, int | None]  # of messages, by their ids; None: not known yet
    runs: frozenset[str] = frozenset()

    def find_new(
        self, before: Sequence[PostedMessage], known: Collection[str] = ()
    ) -> list[PostedMessage]:
        """Return the earlier posted messages that the thread does not have yet.

        before: the posted messages without the newest.
        """
        if not self.turns and not self.end:
            return [*before]
        starts = [n for n, item in enumerate(before) if item.role == "user"]
        count, turn = self._align(before, starts, known)
        if count == 0:  # what a page greets with at each load is not said again
            return [*before[starts[0] :]] if starts else []
        later = starts[count] if count < len(starts) else len(before)
        answers = before[starts[count - 1] + 1 : later]
        return [*self._find_added(answers, turn, known), *before[later:]]

    def find_shown(self, before: Sequence[PostedMessage]) -> int:
        """Return the position of the last stored user message that is among `before`.

        -1 if there is none.
        """
        starts = [n for n, item in enumerate(before) if item.role == "user"]
        count, turn = self._align(before, starts, ())
        return turn.position if count and turn is not None else -1

    def _align(
        self, before: Sequence[PostedMessage], starts: Sequence[int], known: Collection[str]
    ) -> tuple[int, Turn | None]:
        """Return (number of posted user messages up to the last known one, that one's turn)."""
        questions = [before[n] for n in starts]
        # An id that stands twice names the first: pages repeat ids, and the second is another
        # message.
        firsts = {item.id: n for n, item in reversed([*enumerate(questions)])}
        for n in range(len(questions) - 1, -1, -1):
            name = questions[n].id
            is_known = bool(name) and (name in self.positions or name in known)
            if is_known and firsts[name] == n:
                place = self.positions.get(name)
                return n + 1, next((t for t in self.turns if t.position == place), None)
        # By text only where no id is known: only ids distinguish two equal questions.
        texts, stored = [_squeeze(item.text) for item in questions], [t.text for t in self.turns]
        if (end := find_suffix(stored, texts)) is not None:
            return end, self.turns[-1]
        pairs = zip(texts, stored, strict=False)
        shorter = min(len(texts), len(stored))
        size = next((n for n, pair in enumerate(pairs) if pair[0] != pair[1]), shorter)
        for n in range(size, 0, -1):
            follows = starts[n - 1] + 1
            # An equal beginning alone is no proof: "hello" begins many chats; with an answer behind
            # it, it is this one.
            if follows < len(before) and before[follows].role == "assistant":
                return n, self.turns[n - 1]
        return 0, None

    def _find_added(
        self, answers: Sequence[PostedMessage], turn: Turn | None, known: Collection[str]
    ) -> list[PostedMessage]:
        """Return the messages that a page has added after the thread's last answer.

        Nothing if no posted answer is known: the page then shows ours in other words.
        """
        if turn is None or turn is not self.turns[-1]:
            return []
        if not turn.answers:
            return [] if turn.has_run else [*answers]
        last = -1
        for n, item in enumerate(answers):
            is_ours = item.id in self.positions or item.id in known
            is_ours = is_ours or item.id.partition(":")[0] in self.runs
            if is_ours or not item.text.strip() or _squeeze(item.text) in turn.answers:
                last = n
        return [*answers[last + 1 :]] if last >= 0 else []


async def load_past(chats: Conversations, request: ApiRequest, thread: ThreadInfo) -> Past:
    """Return the thread's newest stored messages and ids, to compare a posted history with."""
    limits = request.settings.get_table(ServerLimits)
    stored = await list_texts(request.db, thread.thread_id, limits.posted_messages)
    made = {make_message_id(thread.thread_id, item.position): item.position for item in stored}
    names = await chats.load_positions(request, thread.thread_id)
    runs = frozenset(item.run_id for item in stored if item.run_id)
    end = stored[-1].position + 1 if stored else 0
    return Past(_to_turns(stored), end, {**made, **names}, runs)


@dataclass(frozen=True, slots=True)
class Newest:
    """A client's newest message, with the messages posted before it.
    is_cut: whether the client says that it cut its history there; None: its protocol cannot say.
    position: of the message that it replaces, if the protocol says so.
    """

    said: PostedMessage
    before: Sequence[PostedMessage] = ()
    is_cut: bool | None = None
    position: int | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """The thread in which a message is answered.
    unsaid: the user's messages that could not be stored before it because a run is active; they are
    sent with it.
    """

    thread: ThreadInfo
    unsaid: Sequence[PostedMessage] = field(default_factory=tuple[PostedMessage, ...])

    def make_request(self, text: str, files: Sequence[FilePart], settings: Settings) -> RunRequest:
        """Build the newest message's RunRequest, with the earlier messages that were not stored.

        Raises: InputError.
        """
        uploads = [file for item in self.unsaid for file in item.files]
        whole = "\n\n".join(filter(None, [*(item.text for item in self.unsaid), text]))
        parts = [*read_files(uploads, settings), *files]
        # Compared is the newest message alone: when it is sent again, the others may have been
        # stored by then, and are not part of the text any more.
        return RunRequest(whole, parts, fingerprint=text if self.unsaid else None)


async def place_message(
    chats: Conversations, request: ApiRequest, thread: ThreadInfo, newest: Newest, name: str
) -> Placed:
    """Choose the thread for the newest message, and store what the thread lacks.

    It is this thread, or a fork if the message replaces another one.
    Raises: ConflictError MESSAGE_ID_REUSED; NotFoundError; as `read_history`.
    """
    position = newest.position
    if position is None and thread.messages:
        position = find_replaced(await load_past(chats, request, thread), newest)
    if position is not None:
        thread = await chats.fork(request, thread, position, name)
    unsaid = await bring_past(chats, request, thread, newest.before, keeps_refused=True)
    return Placed(thread, unsaid)


def find_replaced(past: Past, newest: Newest) -> int | None:
    """Return the position of the stored message that the newest one replaces, or None.

    Found by the client's id, or else by the posted history.

    Raises: ConflictError where the id is taken by another message that the client did not cut.
    """
    said, texts = newest.said, [item.text for item in newest.before if item.role == "user"]
    if said.id and (position := past.positions.get(said.id)) is not None:
        turn = next((item for item in past.turns if item.position == position), None)
        if turn is not None:
            is_same = turn.text == _squeeze(said.text)
            is_shown = past.find_shown(newest.before) >= position
            if newest.is_cut is False and is_same:
                return None  # sent again: its key joins the run
            if newest.is_cut is False or (newest.is_cut is None and is_shown):
                raise make_reused()
            return position
    if not texts and not newest.is_cut:
        return None  # the newest one alone, of a client that shows no history
    place = find_turn([item.text for item in past.turns], [*map(_squeeze, texts), ""])
    if place is None or place >= len(past.turns):
        return None
    return past.turns[place].position


def make_reused() -> ConflictError:
    """Build the error for a message id that another message of the conversation already has."""
    return ConflictError(
        "this id was used for another message of the conversation",
        hint="Give each message of a conversation its own id.",
        code=ID_REUSED,
    )


async def bring_past(
    chats: Conversations,
    request: ApiRequest,
    thread: ThreadInfo,
    before: Sequence[PostedMessage],
    known: Collection[str] = (),
    *,
    keeps_refused: bool = False,
) -> Sequence[PostedMessage]:
    """Store the posted messages that the thread lacks, in one transaction.
    Returns the user's messages that an active run keeps from being stored. known: more ids of the
    thread's. keeps_refused: store a reason in place of a message that is refused.

    Raises: as `read_history`; ConflictError where others write to the thread all the time.
    """
    if not any(item.text.strip() or item.files for item in before):
        return ()
    for _ in range(_MAX_TRIES):
        past = await load_past(chats, request, thread)
        new = join_answers(past.find_new(before, known))
        if not new or await _append(chats, request, thread, past, new, keeps_refused=keeps_refused):
            return ()
        if await chats.app.runs.find_active(*request.owner, thread.thread_id):
            return [item for item in new if item.role == "user"]
    raise ConflictError(
        "other clients are writing to this conversation",
        hint="Send the request again in a moment.",
        code="THREAD_BUSY",
    )


async def append_all(
    chats: Conversations, request: ApiRequest, thread: ThreadInfo, posted: Sequence[PostedMessage]
) -> Sequence[PostedMessage]:
    """Store new posted messages.

    Returns the user's messages among them if none could be stored, else ().
    """
    new = join_answers(posted)
    past = Past([], thread.messages, {})  # whoever follows the same response meanwhile goes first
    if not new or await _append(chats, request, thread, past, new, keeps_refused=False):
        return ()
    return [item for item in new if item.role == "user"]


async def _append(
    chats: Conversations,
    request: ApiRequest,
    thread: ThreadInfo,
    past: Past,
    new: Sequence[PostedMessage],
    *,
    keeps_refused: bool,
) -> bool:
    """Append the new messages; False if the thread has changed since, or a run is active there."""
    # Before the transaction: it counts tokens, and a connection would be held meanwhile.
    messages = await read_history(chats.app, request, new, keeps_refused=keeps_refused)
    if past.end and messages and messages[0]["role"] == "assistant":
        messages[0] = mark_posted(messages[0])
    async with request.store.transaction(request.tenant_id) as tx:
        # Compared with the thread's end in the same statement: of two equal posts one is stored
        # (test_two_simultaneous_posts_of_one_history_store_it_once).
        if not await append_messages(tx, thread.thread_id, past.end, messages):
            return False
        for n, item in enumerate(new):
            if item.id and item.role == "user":
                place = Place(thread.thread_id, past.end + n)
                space = chats.name_messages(thread.thread_id)
                await save_place(tx, request.user_id, space, item.id, place)
    return True


def join_answers(posted: Sequence[PostedMessage]) -> list[PostedMessage]:
    """Merge consecutive assistant messages into one, and drop empty messages.

    >>> pieces = [PostedMessage("assistant", text) for text in ("a", "b")]
    >>> [item.text for item in join_answers(pieces)]
    ['a\\n\\nb']
    """
    joined: list[PostedMessage] = []
    pieces: list[list[str]] = []  # of each message: thousands may follow each other
    for item in posted:
        text = clean_text(item.text).strip()
        if not text and not item.files:
            continue
        if joined and item.role == joined[-1].role == "assistant":
            pieces[-1].append(text)
        else:
            joined.append(item)
            pieces.append([text])
    texts = map("\n\n".join, pieces)
    return [item._replace(text=text) for item, text in zip(joined, texts, strict=True)]


def find_turn(stored: Sequence[str], posted: Sequence[str]) -> int | None:
    """Return the index of the stored message that the newest posted one replaces, or None.

    `len(stored)`: it replaces none and follows them all. A client may have cut the beginning of a
    long history away.

    >>> find_turn(["a", "b"], ["a", "b", "c"]), find_turn(["a", "b"], ["a", "B"])
    (2, 1)
    >>> find_turn(["a", "b", "c"], ["b", "c", "d"]), find_turn(["a"], ["x", "y"])
    (3, None)
    """
    before = [clean_text(text).strip() for text in posted[:-1]]
    known = [text.strip() for text in stored]
    if known[: len(before)] == before:
        return len(before)
    # From the end: of two equal places the later one is what the client shows last.
    for end in range(len(known), len(before), -1):
        if known[end - len(before) : end] == before:
            return end
    return None


def find_suffix(stored: Sequence[str], posted: Sequence[str]) -> int | None:
    """Return the index in `posted` behind the longest suffix of `stored`, or None.

    >>> find_suffix(["a", "b"], ["a", "b", "c"]), find_suffix(["yes"], ["yes", "yes"])
    (2, 1)
    >>> find_suffix(["a"], ["b"])
    """
    # The Z function, in linear time: comparing each place would be quadratic in what a client
    # posts.
    text = [*reversed(stored), None, *reversed(posted)]
    sizes = [0] * len(text)  # how long the text from here on begins as the whole does
    left = right = 0
    for n in range(1, len(text)):
        size = min(max(0, right - n), sizes[n - left])
        while n + size < len(text) and text[n + size] == text[size]:
            size += 1
        sizes[n] = size
        if n + size > right:
            left, right = n, n + size
    ends = sizes[len(stored) + 1 :]
    longest = max(ends, default=0)
    if not longest:
        return None
    return len(posted) - max(n for n, size in enumerate(ends) if size == longest)


def _to_turns(stored: Sequence[StoredText]) -> list[Turn]:
    turns: list[Turn] = []
    for item in stored:
        if item.role == "user":
            has_run = item.run_id is not None
            turns.append(Turn(item.position, _squeeze(item.text), has_run=has_run))
        elif turns:
            turns[-1].answers += _squeeze(item.text)
    return turns


def _squeeze(text: str) -> str:
    """Return a text without spaces, which clients show differently."""
    # All white space: pages trim, join and wrap differently, and a text without it is still itself.
    return "".join(clean_text(text).split())
