-- Tools of other people's servers: what is kept of a call, and what was agreed to when a tool was first
-- seen.

alter table tool_calls add column receipt json;

-- The operator's, not a tenant's: whoever runs the service lets a server in, for everybody.
create table mcp_tools (
    server text not null,
    tool text not null, -- by the server's own name
    digest text not null, -- of all that the server said of it when it was let in
    seen_digest text not null, -- of what it says now; another one: people are asked before calls
    seen_at timestamptz not null default now(), -- since when it says that
    primary key (server, tool)
);

insert into protected_tables (target, is_of_tenants, operator_rights)
values ('mcp_tools', false, '{select, insert, update}');
select plainloop_mend();
