"""The same conversation from a program: HTTP and Server-Sent Events, nothing installed."""

import json
import sys
from urllib.request import Request, urlopen


def post(path: str, body: dict[str, str]):
    headers = {"content-type": "application/json", "accept": "text/event-stream"}
    return urlopen(Request(sys.argv[1] + path, json.dumps(body).encode(), headers))


conversation = json.load(post("/api/chat/conversations", {}))["id"]
for said in ("add a book: Momo", "how many books do I have?"):
    name = ""
    for line in post(f"/api/chat/conversations/{conversation}/messages", {"content": said}):
        field, _, value = line.decode().rstrip("\n").partition(": ")
        name = value if field == "event" else name
        if field == "data" and name in ("tool_start", "text_delta", "error"):
            data = json.loads(value)
            print(data.get("content") or f"[{data.get('name') or data['message']}] ", end="")
    print()
