-- Documents that workers answer from (packages/retrieval). They belong to a tenant, to no user; those
-- that a pack ships itself to the tenant '*packs*', which nobody signs in as.

-- Vectors are an extra: full text works without them. Where the extension can be had, it is.
do $$
begin
    if exists (select from pg_available_extensions where name = 'vector') then
        create extension if not exists vector;
    end if;
exception
    when insufficient_privilege or undefined_file or feature_not_supported then
        raise notice 'no pgvector: %', sqlerrm;
end
$$;

create table knowledge_documents (
    tenant_id text not null,
    -- Keeps the documents of one pack apart from those of another.
    collection text not null,
    -- Adding it again replaces the document.
    name text not null check (name <> ''),
    size_bytes integer not null,
    -- Of the file and of how it is cut: the same one is not read again.
    digest text not null,
    -- Others wrote it: text from outside, for whoever reads it.
    is_outside boolean not null default false,
    created_at timestamptz not null default now(),
    primary key (tenant_id, collection, name)
);

create table knowledge_passages (
    tenant_id text not null,
    collection text not null,
    name text not null,
    -- 1, 2, 3 … through the document; negative inside the transaction that replaces its text.
    position integer not null check (position <> 0),
    -- The headings above it, " › " between; "" for none.
    heading text not null,
    content text not null,
    -- Null: of a format without pages.
    page integer,
    -- The characters of the document's text before it.
    text_offset integer not null,
    search tsvector not null generated always as (
        setweight(to_tsvector('english', heading), 'A')
        || setweight(to_tsvector('english', content), 'B')
    ) stored,
    -- "provider:model" that made the vector; null: none made it yet.
    embedding_model text,
    -- Cast to pgvector's type where it is compared: so the table needs no extension.
    embedding real[],
    primary key (tenant_id, collection, name, position),
    foreign key (tenant_id, collection, name) references knowledge_documents on delete cascade,
    check ((embedding_model is null) = (embedding is null))
);
create index knowledge_passages_search on knowledge_passages using gin (search);

select plainloop_protect(name::regclass)
from unnest(array['knowledge_documents', 'knowledge_passages']) as name;
select plainloop_open_to_operator('knowledge_documents', 'select');
select plainloop_open_to_operator('knowledge_passages', 'select');
