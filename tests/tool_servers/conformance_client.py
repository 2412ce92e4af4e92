"""Our client as the conformance suite drives one: `python conformance_client.py URL`.

It lists the server's tools and calls each, with arguments that its schema allows.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import asynccontextmanager
from typing import Any

from plainloop.agent.config.mcp import McpServer
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import StoreError
from plainloop.agent.mcp.connection import FORM_WANTED, Connection
from plainloop.agent.mcp.forms import read_form, to_answers
from plainloop.agent.mcp.wire import ServerError

ROUNDS = 3
SAMPLES: dict[str, Any] = {"string": "text", "integer": 5, "number": 5, "boolean": True}


class NoDatabase:
    @asynccontextmanager
    async def operate(self):
        raise StoreError("there is none")
        yield


def make_arguments(schema: dict[str, Any]) -> dict[str, Any]:
    given = schema.get("properties", {})
    return {name: SAMPLES.get(part.get("type"), "text") for name, part in given.items()}


async def main(url: str) -> None:
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
    server = McpServer("suite", ("*",), url=url, connect_timeout_s=20, forms=True)
    database: Any = NoDatabase()
    connection = Connection(server, load_settings({}), database)
    await (connection.refresh() or asyncio.sleep(0))
    wanted = {item["name"]: item.get("arguments", {}) for item in context.get("toolCalls", [])}
    for definition in connection.listing.definitions:
        arguments = wanted.get(definition.tool, make_arguments(definition.parameters))
        try:
            result = await connection.call(definition, arguments)
            for _ in range(ROUNDS):
                if result.get("resultType") == FORM_WANTED:  # a person would fill it in
                    form = read_form(result)
                    answers = to_answers(form, make_arguments(form.fields))
                    result = await connection.call(definition, arguments, answers)
            print(result)
        except ServerError as error:
            print(error)
    await connection.close()


asyncio.run(main(sys.argv[1]))
