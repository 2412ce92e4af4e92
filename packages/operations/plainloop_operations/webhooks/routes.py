"""`/api/webhooks`: who is told what. A user of their own runs; an admin of the whole tenant's."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.store.admin.audit import Deed
from plainloop.server.routes.choosing import check_admin, record_deed
from plainloop.server.routes.conversations import check_limit

from .making import MadeWebhook, make_webhook
from .rows import (
    Delivery,
    Event,
    Webhook,
    delete_webhook,
    enable_webhook,
    list_deliveries,
    list_webhooks,
)

PATH: Final = "/api/webhooks"
ONE: Final = PATH + "/{webhook_id}"


class NewWebhook(Struct, forbid_unknown_fields=True):
    url: Annotated[str, Meta(min_length=1, max_length=2000)]
    events: Annotated[list[Event], Meta(min_length=1)]
    everybody: bool = False  # of the tenant, for admins; else one's own runs


class WebhookList(Struct):
    webhooks: list[Webhook]


class DeliveriesQuery(Struct, forbid_unknown_fields=True):
    limit: Annotated[int, Meta(ge=1)] = 20


class DeliveryList(Struct):
    deliveries: list[Delivery]


async def create(request: ApiRequest, body: NewWebhook) -> MadeWebhook:
    """Create a webhook, and return it with its secret.

    Raises: AccessDenied, InputError, OutboundRefused; ConflictError TOO_MANY_WEBHOOKS.
    """
    if body.everybody:
        check_admin(request, "only an administrator can receive events of all users' runs")
    user_id = None if body.everybody else request.user_id
    async with request.store.transaction(request.tenant_id) as tx:
        made, deed = await make_webhook(tx, user_id, body.url, body.events, request.settings)
        await record_deed(tx, request, deed)
    return made


async def read(request: ApiRequest) -> WebhookList:
    """List the webhooks that the caller may see.

    An administrator gets the webhooks of all users.
    """
    return WebhookList(await list_webhooks(request.db, choose_owner(request)))


async def read_deliveries(request: ApiRequest, query: DeliveriesQuery) -> DeliveryList:
    limit = check_limit(request, query.limit)
    webhook_id = request.params["webhook_id"]
    owner = choose_owner(request)
    return DeliveryList(await list_deliveries(request.db, webhook_id, owner, limit))


async def erase(request: ApiRequest) -> None:
    """Delete a webhook.

    Raises: NotFoundError, also if it belongs to another user.
    """
    async with request.store.transaction(request.tenant_id) as tx:
        await delete_webhook(tx, request.params["webhook_id"], choose_owner(request))
        await record_deed(tx, request, Deed("webhook.delete", request.params["webhook_id"]))


async def enable(request: ApiRequest) -> None:
    """Enable a disabled webhook.

    Raises: NotFoundError, also if it belongs to another user.
    """
    async with request.store.transaction(request.tenant_id) as tx:
        await enable_webhook(tx, request.params["webhook_id"], choose_owner(request))
        await record_deed(tx, request, Deed("webhook.enable", request.params["webhook_id"]))


def choose_owner(request: ApiRequest) -> str | None:
    """Return the user to whose rows the caller's access is limited.

    None for an administrator.
    """
    return None if request.is_admin else request.user_id


WEBHOOK_ROUTES: Final = (
    ApiRoute("GET", PATH, read, "List webhooks"),
    ApiRoute("POST", PATH, create, "Add a webhook; its messages are signed", status=201),
    ApiRoute("DELETE", ONE, erase, "Delete a webhook", status=204),
    ApiRoute("POST", ONE + "/enable", enable, "Enable a disabled webhook again", status=204),
    ApiRoute(
        "GET", ONE + "/deliveries", read_deliveries, "List a webhook's deliveries and their answers"
    ),
)
