-- adopts: knowledge_documents
-- Documents that workers answer from.

-- Vectors are an extra: full text works without them. Where the extension can be had, it is made.
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

-- They belong to a tenant, to no user;
-- those that a pack ships belong to the tenant '*packs*', which nobody signs in as.
create table knowledge_documents (
    tenant_id text not null,
    collection text not null, -- Keeps the documents of one pack apart from those of another.
    name text not null check (name <> ''), -- Adding it again replaces the document.
    size_bytes integer not null,
    digest text not null, -- Of the file and of how it is cut: the same one is not read again.
    -- Others wrote it: text from outside, for whoever reads it.
    is_outside boolean not null default false,
    created_at timestamptz not null default now(),
    primary key (tenant_id, collection, name)
);

-- The passages of documents, for full text and, where pgvector is there, vectors.
create table knowledge_passages (
    tenant_id text not null, collection text not null, name text not null,
    -- 1, 2, 3 … through the document; negative inside the transaction that replaces its text.
    position integer not null check (position <> 0),
    heading text not null, -- The headings above it, " › " between; "" for none.
    content text not null,
    page integer, -- Null: of a format without pages.
    text_offset integer not null, -- The characters of the document's text before it.
    search tsvector not null generated always as (
        setweight(to_tsvector('english', heading), 'A')
        || setweight(to_tsvector('english', content), 'B')
    ) stored,
    embedding_model text, -- "provider:model" that made the vector; null: none made it yet.
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
