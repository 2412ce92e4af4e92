"""A schedule made, looked at, paused and taken away: HTTP, nothing installed."""

import json
import sys
from urllib.request import Request, urlopen


def ask(method: str, path: str, body: dict[str, str] | None = None):
    headers = {"content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(sys.argv[1] + path, data, headers, method=method)) as answer:
        return json.loads(answer.read() or b"null")


daily = {
    "name": "books in the morning",
    "cron": "30 7 * * MON-FRI",
    "time_zone": "Europe/Berlin",
    "message": "how many books do I have?",
}
made = ask("POST", "/api/schedules", daily)
one = f"/api/schedules/{made['schedule_id']}"
ask("POST", f"{one}/pause")
[told] = ask("GET", "/api/schedules")["schedules"]
print(told["cron"], told["time_zone"], "paused" if told["next_at"] is None else "runs")
ask("POST", f"{one}/resume")
[told] = ask("GET", "/api/schedules")["schedules"]
print(told["cron"], told["time_zone"], "paused" if told["next_at"] is None else "runs")
print(ask("GET", f"{one}/history"))
ask("DELETE", one)
print(ask("GET", "/api/schedules"))
