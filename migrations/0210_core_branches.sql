-- Where a branch left the thread that it was made from, and how a person keeps order among chats.
-- A thread without a family is the first of its own, or was branched by an older version.
alter table threads
    add column family uuid, -- The first thread of all that were branched from it. May be erased.
    add column forked_at integer, -- The position of its first message that is not a copy.
    add column is_pinned boolean not null default false,
    add column labels text[] not null default '{}';
create index threads_of_family on threads (tenant_id, family) where family is not null;
