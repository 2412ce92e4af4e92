"""`/api/chat/conversations`: create, list, read, rename, erase."""

from __future__ import annotations

import base64
import re
from contextlib import suppress
from typing import Final

from msgspec import UNSET

from ...agent.base.messages.settings import FILE_TYPES
from ...agent.core.api import ApiFile, ApiRequest, ApiRoute
from ...agent.dataclasses import dataclass, replace
from ...agent.errors import InputError, NotFoundError, StoreError
from ...agent.store.api import (
    ConversationFilter,
    ThreadFacts,
    list_conversations,
    list_facts,
    list_messages,
)
from ...agent.store.clients.branches import find_versions, list_family
from ...agent.store.erasure import erase_thread_rows
from ...agent.store.outcomes.ratings import list_ratings
from ...agent.store.records import ThreadInfo
from ...agent.store.signing import sign_messages
from ...agent.store.threads import count_labels, file_thread
from ...agent.types import MessagePart
from ..auth.models import check_choice
from ..http.endpoint import AppContext
from .choosing import choose_user, to_aware
from .shapes import (
    Conversation,
    ConversationChange,
    ConversationDetail,
    ConversationFacts,
    ConversationPage,
    EraseQuery,
    LabelCount,
    Labels,
    ListedConversation,
    MessagesQuery,
    NewConversation,
    PageQuery,
    ShownMessage,
    VersionsOfMessage,
)
from .showing import FILE_PATH, from_cursor, to_conversation, to_cursor, to_message, to_shape

PATH: Final = "/api/chat/conversations"
ONE: Final = PATH + "/{conversation_id}"
MAX_LABELS: Final = 10
MARKS: Final = re.compile(r"\*\*|`+|^#{1,6} ", re.MULTILINE)
HIT_CHARS: Final = 60  # before and behind the text that was searched for


@dataclass(frozen=True, slots=True)
class ConversationRoutes:
    """The routes of conversations."""

    app: AppContext

    def list_routes(self) -> tuple[ApiRoute, ...]:
        return (
            ApiRoute("POST", PATH, self.create, "Start a conversation", status=201),
            ApiRoute("GET", PATH, list_page, "List conversations, newest activity first"),
            ApiRoute("GET", "/api/chat/labels", list_labels, "List the labels of conversations"),
            ApiRoute("GET", ONE, self.read, "Read a conversation with its messages"),
            ApiRoute("GET", FILE_PATH, read_file, "Read a file of a message", files=FILE_TYPES),
            ApiRoute(
                "PATCH",
                ONE,
                self.change,
                "Rename, pin or label a conversation, or choose its model",
            ),
            ApiRoute(
                "DELETE", ONE, self.erase, "Delete a conversation with all its data", status=204
            ),
        )

    async def read(self, request: ApiRequest, query: MessagesQuery) -> ConversationDetail:
        thread = await load_conversation(request)
        # Before the messages: a run that ends in between has its answer among them. The other way
        # round a reader has neither (test_a_lost_connection_is_shown_and_restored).
        active = await self.app.runs.find_active(*request.owner, thread.thread_id)
        messages, has_earlier = await read_messages(request, thread.thread_id, query)
        ratings = await list_ratings(request.db, thread.thread_id)
        family = await list_family(request.db, request.user_id, thread.thread_id)
        versions = [
            VersionsOfMessage(item.position, item.thread_ids, item.at)
            for item in find_versions(thread.thread_id, family)
        ]
        return ConversationDetail(
            to_conversation(thread), messages, ratings, has_earlier, active, versions
        )

    async def create(self, request: ApiRequest, body: NewConversation) -> Conversation:
        await check_choice(request, self.app.service, body.model)
        thread = await request.store.create_thread(
            *request.owner, title=body.title.strip(), pack=request.pack
        )
        if body.model is not None:
            await request.store.choose_model(*request.owner, thread.thread_id, body.model)
            thread = replace(thread, model=body.model)
        return to_conversation(thread)

    async def change(self, request: ApiRequest, body: ConversationChange) -> Conversation:
        """Change a conversation's title, model, pin or labels; return the changed conversation.

        Raises: InputError, NotFoundError; as `check_choice`.
        """
        thread = await load_conversation(request)
        # All is checked before anything is written: a refused change changes nothing (RFC 5789, 2;
        # test_a_refused_change_changes_nothing).
        title = None if body.title is UNSET else body.title.strip()
        if title == "":
            raise InputError("the title is empty", hint="Write a title.")
        labels = None if body.labels is UNSET else clean_labels(body.labels)
        if body.model is not UNSET:
            await check_choice(request, self.app.service, body.model)
        if title is not None:
            await request.store.rename_thread(*request.owner, thread.thread_id, title)
        if body.model is not UNSET:
            await request.store.choose_model(*request.owner, thread.thread_id, body.model)
        if body.is_pinned is not UNSET or labels is not None:
            pinned = None if body.is_pinned is UNSET else body.is_pinned
            async with request.store.transaction(request.tenant_id) as tx:
                await file_thread(tx, request.user_id, thread.thread_id, pinned, labels)
        return to_conversation(await load_conversation(request))

    async def erase(self, request: ApiRequest, query: EraseQuery) -> None:
        thread = await load_conversation(request)
        ids = [thread.thread_id]
        if query.branches == "all":
            family = await list_family(request.db, request.user_id, thread.thread_id)
            ids = [branch.thread_id for branch in family]
        for thread_id in ids:
            # Stops the provider's stream as well; the run would notice by itself, but later.
            await self.app.runs.cancel(*request.owner, thread_id)
        async with request.store.transaction(request.tenant_id) as tx:
            for thread_id in ids:
                await erase_thread_rows(tx, request.user_id, thread_id)
        # After the commit: prompts that were used nowhere else are gone, and a cached id would name
        # no row.
        request.store.forget_prompts()
        await self.app.service.forget_threads(ids)


async def list_page(request: ApiRequest, query: PageQuery) -> ConversationPage:
    limit = check_limit(request, query.limit)
    after = None if query.cursor is None else from_cursor(query.cursor)
    user_id = choose_user(
        request, query.user_id, "only an administrator can see the conversations of other users"
    )
    # What others said is not searched either: whether a word is in it would tell of it.
    wanted = to_filter(query, None if user_id == request.user_id else request.user_id)
    # Searches write the missing signatures, turns never do; with them, a search does not read all
    # messages.
    if wanted.text is not None:
        with suppress(StoreError):  # as while a tenant moves; what has no signature is read
            await sign_messages(request.store, request.tenant_id)
    # From a read replica only when it has caught up: the user's newest conversation must be in the
    # list.
    db = await request.store.read_settled(request.tenant_id)
    # One more than is shown tells whether there are more, without counting.
    rows = await list_conversations(db, user_id, "chat", limit + 1, after, wanted)
    if query.kind == "all":  # each kind by its own index, merged in the order of the cursor
        rows += await list_conversations(db, user_id, "onboarding", limit + 1, after, wanted)
        rows.sort(key=lambda thread: (thread.updated_at, thread.thread_id), reverse=True)
    shown = rows[:limit]
    has_more = len(rows) > limit
    facts = await list_facts(db, [item.thread_id for item in shown]) if query.facts else {}
    return ConversationPage(
        [
            to_shape(
                ListedConversation,
                thread,
                id=thread.thread_id,
                message_count=thread.messages,
                user_message_count=thread.asked,
                hit=None if thread.hit is None else cut_hit(thread.hit, query.text.strip()),
                **to_facts(facts.get(thread.thread_id)),
            )
            for thread in shown
        ],
        to_cursor(shown[-1].updated_at, shown[-1].thread_id) if has_more else None,
    )


def to_filter(query: PageQuery, reader: str | None) -> ConversationFilter:
    return ConversationFilter(
        query.text.strip() or None,
        to_aware(query.since),
        to_aware(query.until),
        *(query.tag, query.design, query.status, query.worker, query.tool, query.intent),
        newest_branch=query.branches == "newest",
        is_pinned=query.is_pinned,
        label=query.label,
        problem=query.problem,
        model=query.model,
        reader=reader,
    )


def to_facts(facts: ThreadFacts | None) -> dict[str, ConversationFacts]:
    if facts is None:
        return {}
    cost = None if facts.cost_usd is None else str(facts.cost_usd)
    shown = to_shape(ConversationFacts, facts, cost_usd=cost, max_user_messages=facts.most_asked)
    return {"facts": shown}


async def list_labels(request: ApiRequest) -> Labels:
    """List the user's labels by name, each with its number of conversations."""
    found = await count_labels(request.db, request.user_id)
    return Labels([LabelCount(label, count) for label, count in found])


def clean_labels(labels: list[str]) -> list[str]:
    """Trim labels, and drop repeated and empty ones; more than ten raise InputError."""
    cleaned = list(dict.fromkeys(label.strip() for label in labels if label.strip()))
    if len(cleaned) > MAX_LABELS:
        raise InputError(
            f"a conversation may have at most {MAX_LABELS} labels", hint="Remove a label first."
        )
    return cleaned


def cut_hit(parts: list[MessagePart], text: str) -> str | None:
    """Return an excerpt of the parts around `text`, else around its first word found, or None.

    Of a file, its name is searched. Marks of Markdown are left out, unless they are searched for.

    >>> cut_hit([{"type": "text", "text": "We spoke of **Cafe Uno**."}], "cafe uno")
    'We spoke of Cafe Uno.'
    """
    texts: list[tuple[str, str]] = []  # each read once: a message may be long, and words many
    for part in parts:
        name = part.get("name", "") if part["type"] == "file" else ""
        whole = part["text"] if part["type"] == "text" else name
        for shown in (MARKS.sub("", whole), whole):
            # By words, as the search finds them: a line break between two is a space.
            shown = " ".join(shown.split())
            texts.append((shown, shown.lower()))
    words = text.lower().split()
    for wanted in (" ".join(words), *sorted(set(words), key=len, reverse=True)):
        for shown, lowered in texts:
            if (at := lowered.find(wanted)) >= 0:
                start, end = max(0, at - HIT_CHARS), at + len(wanted) + HIT_CHARS
                before, after = "…" if start else "", "…" if end < len(shown) else ""
                return before + shown[start:end] + after
    return None


async def read_file(request: ApiRequest) -> ApiFile:
    """Return a file of a stored message, by the message's position. Raises: NotFoundError."""
    thread = await load_conversation(request)
    place, number = request.params["position"], request.params["part"]
    # Digits that fit a column of the database; else no such file, rather than an error.
    if all(len(item) < 9 and item.isdecimal() for item in (place, number)):
        messages = await list_messages(request.db, thread.thread_id, 1, int(place) + 1)
        shown = (
            [part for part in messages[0].parts if part["type"] != "reasoning"] if messages else []
        )
        if messages and messages[0].position == int(place) and int(number) < len(shown):
            part = shown[int(number)]
            if part["type"] == "file":
                name = part.get("name", "file")
                return ApiFile(base64.b64decode(part["data"]), part["media_type"], name)
    raise NotFoundError(
        "no such file in this conversation",
        hint="Reload the conversation; each message lists its files.",
    )


async def load_conversation(request: ApiRequest) -> ThreadInfo:
    """Return the user's thread that the path names.

    Raises: NotFoundError for a missing one and for another's alike.
    """
    conversation_id = request.params["conversation_id"]
    try:
        return await request.store.load_thread(*request.owner, conversation_id)
    except NotFoundError as error:
        raise NotFoundError(
            f"no such conversation: {conversation_id[:40]}",
            hint="Check the id; only conversations of the same user are visible.",
        ) from error


async def read_messages(
    request: ApiRequest, thread_id: str, query: MessagesQuery
) -> tuple[list[ShownMessage], bool]:
    """Return a page of the thread's messages, and whether there are earlier ones."""
    limit = check_limit(request, query.limit)
    rows = await list_messages(request.db, thread_id, limit + 1, query.before)
    shown = [to_message(thread_id, item) for item in rows[-limit:]]
    return [item for item in shown if item.role != "user" or has_words(item)], len(rows) > limit


def has_words(message: ShownMessage) -> bool:
    return bool(message.content) or any(part["type"] == "file" for part in message.parts)


def check_limit(request: ApiRequest, limit: int) -> int:
    """Return `limit` if the server allows it. Raises: InputError above the setting."""
    max_rows = request.settings.limits.page_rows
    if limit > max_rows:
        raise InputError(
            f"`limit` must be at most {max_rows}",
            hint="Fetch the rest in further pages, or raise limits.page_rows.",
        )
    return limit
