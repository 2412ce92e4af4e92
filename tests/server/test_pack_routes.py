"""Routes of packs: mounted, checked and described without a line of the server's for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import pytest
from msgspec import Meta, Struct

from plainloop.agent.config.settings import Limits
from plainloop.agent.core.api import ApiFile, ApiRequest, ApiRoute, Handler, UploadedFile
from plainloop.agent.errors import ConfigError, ConflictError, InputError
from plainloop.agent.types import ChatRequest
from plainloop.server.app import make_app
from plainloop.server.pages.openapi import build_openapi
from tests.server.conftest import Serve, Served


class Sort(Struct):
    by: list[str] = []
    limit: Annotated[int, Meta(ge=1, le=5)] = 3
    loud: bool = False


class Recipe(Struct):
    name: str
    minutes: int | None = None


class Label(Struct):
    label: str = "none"
    copies: int = 1


async def list_recipes(request: ApiRequest, query: Sort) -> Any:
    return {"query": query, "who": [request.tenant_id, request.user_id], "pack": request.pack}


async def load_recipe(request: ApiRequest) -> Recipe:
    return Recipe(request.params["recipe_id"])


async def load_best(request: ApiRequest) -> Recipe:
    return Recipe("the best")


async def save_recipe(request: ApiRequest, body: Recipe) -> Recipe:
    if body.name == "soup":
        raise ConflictError("there is soup already", code="SOUP", hint="eat it first")
    return body


async def export(request: ApiRequest) -> ApiFile:
    return ApiFile(b"a,b\n", "text/csv; charset=utf-8", "Rezepte für Ada.csv")


async def read_file(request: ApiRequest, upload: UploadedFile, body: Label) -> Any:
    if not upload.content:
        raise InputError("the file is empty", code="EMPTY_FILE")
    told = [upload.filename, upload.media_type, len(upload.content)]
    return {"file": told, "form": body}


async def think(request: ApiRequest) -> Any:
    async with request.service.open_context() as ctx:
        assert ctx.tenant_id == request.tenant_id
    count = await request.db.fetchval("select count(*) from threads where tenant_id = $1", "acme")
    with pytest.raises(InputError):
        asked = ChatRequest("You answer in JSON.", [])
        await request.service.call_json("parser", asked)
    return {"count": count}


async def forget(request: ApiRequest) -> None:
    return None


ROUTES = (
    ApiRoute("GET", "/api/recipes/{recipe_id}", load_recipe, "Read one"),
    ApiRoute("GET", "/api/recipes/best", load_best, "Read the best"),
    ApiRoute("DELETE", "/api/recipes/{recipe_id}", forget, "Forget one", status=204),
    ApiRoute("GET", "/api/recipes", list_recipes, "List"),
    ApiRoute("POST", "/api/recipes", save_recipe, "Save", status=201),
    ApiRoute("GET", "/api/recipes.csv", export, "Export"),
    ApiRoute("POST", "/api/recipes/file", read_file, "Upload", max_bytes=5000),
    ApiRoute("POST", "/api/recipes/thoughts", think, "Think"),
)


async def test_a_packs_routes_are_served(serve: Serve):
    served = await serve(routes=ROUTES)
    ann = await served.client()
    listed = await ann.get("/api/recipes?by=name&by=minutes&limit=2&loud=true")
    made = await ann.post("/api/recipes", json={"name": "stew", "minutes": 90})
    conflict = await ann.post("/api/recipes", json={"name": "soup"})
    file = await ann.get("/api/recipes.csv")
    gone = await ann.delete("/api/recipes/7")

    assert listed.json() == {
        "query": {"by": ["name", "minutes"], "limit": 2, "loud": True},
        "who": ["acme", "ann"],
        "pack": "tracker",
    }
    assert (await ann.get("/api/recipes/best")).json() == {"name": "the best", "minutes": None}
    assert (await ann.get("/api/recipes/7")).json() == {"name": "7", "minutes": None}
    assert (made.status_code, made.json()) == (201, {"name": "stew", "minutes": 90})
    assert (conflict.status_code, conflict.json()) == (
        409,
        {"error": {"code": "SOUP", "message": "there is soup already", "hint": "eat it first"}},
    )
    assert file.content == b"a,b\n"
    assert file.headers["content-type"] == "text/csv; charset=utf-8"
    assert (
        file.headers["content-disposition"]
        == "attachment; filename*=UTF-8''Rezepte%20f%C3%BCr%20Ada.csv"
    )
    assert (gone.status_code, gone.content) == (204, b"")
    assert (await ann.post("/api/recipes/thoughts")).json() == {"count": 0}
    for wrong in ("limit=9", "limit=x", "loud=perhaps"):
        assert (await ann.get(f"/api/recipes?{wrong}")).status_code == 422


async def test_files_can_be_sent_as_form_or_raw_body(serve: Serve):
    served = await serve(routes=ROUTES)
    ann = await served.client()
    path = "/api/recipes/file"
    form = await ann.post(
        path, files={"file": ("a.txt", b"stew", "text/plain")}, data={"label": "x", "copies": "2"}
    )
    bare = await ann.post(
        f"{path}?filename=b.md", content=b"soup", headers={"content-type": "text/markdown; a=b"}
    )
    refused = [
        (await ann.post(path, files={"file": ("a", b"x" * 5001)}), 413),
        (await ann.post(path, content=b"x" * 5001), 413),
        (await ann.post(path, files={"other": ("", b"")}), 400),
        (await ann.post(path, data={"file": "no file"}, files={}), 200),
        (await ann.post(path, files={"file": ("a", b"")}), 400),
        (await ann.post(path, files={"file": ("a", b"x")}, data={"copies": "many"}), 422),
        (await ann.post(path, content=b"x", headers={"content-type": "multipart/form-data"}), 400),
    ]

    assert form.json() == {"file": ["a.txt", "text/plain", 4], "form": {"label": "x", "copies": 2}}
    assert bare.json() == {
        "file": ["b.md", "text/markdown", 4],
        "form": {"label": "none", "copies": 1},
    }
    for answer, status in refused:
        assert answer.status_code == status, answer.text


async def test_pack_routes_are_described_from_their_types(serve: Serve):
    served = await serve(routes=ROUTES)
    ann = await served.client()
    document = (await ann.get("/openapi.json")).json()
    listed = document["paths"]["/api/recipes"]["get"]
    upload = document["paths"]["/api/recipes/file"]["post"]["requestBody"]["content"]

    assert [item["name"] for item in listed["parameters"]] == ["by", "limit", "loud"]
    assert listed["parameters"][1]["schema"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 5,
        "default": 3,
    }
    assert document["components"]["schemas"]["Recipe"]["required"] == ["name"]
    assert upload["multipart/form-data"]["schema"]["properties"].keys() == {
        "file",
        "label",
        "copies",
    }
    page = (await ann.get("/docs")).text
    assert "/api/recipes/{recipe_id}" in page


class Undescribed:
    """Nothing that JSON could be made of."""


async def give_undescribed(request: ApiRequest) -> Undescribed:
    return Undescribed()


async def give_unknown(request: ApiRequest) -> Missing:  # pyright: ignore[reportUndefinedVariable] # noqa: F821
    raise NotImplementedError


@pytest.mark.parametrize(
    ("handler", "told"), [(give_undescribed, "Undescribed"), (give_unknown, "Missing")]
)
async def test_a_route_that_cannot_be_described_is_refused_at_start(
    serve: Serve, handler: Handler, told: str
):
    served = await serve()
    routes = (*ROUTES, ApiRoute("GET", "/api/odd", handler, "Odd"))
    served.service.packs = (replace(served.service.pack, routes=routes),)
    with pytest.raises(ConfigError, match=f"GET /api/odd: .*{told}") as raised:
        make_app(served.service, served.replica.runs)
    assert "handler's signature" in str(raised.value.hint)


async def test_duplicate_routes_are_refused_at_the_start(served: Served):
    twice = ApiRoute("GET", "/api/config", load_best, "Again")
    served.service.packs = (replace(served.service.pack, routes=(twice,)),)
    with pytest.raises(ValueError, match="two routes are registered for GET /api/config"):
        make_app(served.service, served.replica.runs)
    assert build_openapi([], Limits(), is_local=True)["paths"].keys() == {"/api/health", "/readyz"}
