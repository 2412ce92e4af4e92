-- name: see_tools
-- Keep what a server says of its tools now. A tool that was never seen may be called as it
-- is; its words are others' until the operator has agreed to them.
insert into mcp_tools (server, tool, digest, seen_digest)
select $1, new.tool, new.digest, new.digest
from json_to_recordset($2::json) as new (tool text, digest text)
on conflict (server, tool) do update
set seen_digest = excluded.seen_digest, seen_at = now()
where mcp_tools.seen_digest <> excluded.seen_digest

-- name: list_unaccepted_tools
-- Tools that the operator has not approved in their present form; `is_changed`: approved in another.
select tool, digest <> seen_digest as is_changed from mcp_tools
where server = $1 and (accepted_at is null or digest <> seen_digest) order by tool

-- name: accept_tools
-- Agree to what the server says of its tools now.
update mcp_tools set digest = seen_digest, accepted_at = now()
where server = $1 and (accepted_at is null or digest <> seen_digest)
