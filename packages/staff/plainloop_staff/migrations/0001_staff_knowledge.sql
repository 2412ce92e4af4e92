-- The company's documents, for questions in the interview. They belong to the tenant, to no user.

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

create table staff_documents (
    tenant_id text not null,
    -- Unique in the tenant; adding it again replaces the document.
    name text not null check (name <> ''),
    size_bytes integer not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, name)
);

create table staff_passages (
    tenant_id text not null,
    name text not null,
    -- 1, 2, 3 … through the document.
    position integer not null check (position >= 1),
    -- The headings above it, " › " between; "" for none.
    heading text not null,
    content text not null,
    search tsvector not null generated always as (
        setweight(to_tsvector('english', heading), 'A')
        || setweight(to_tsvector('english', content), 'B')
    ) stored,
    -- "provider:model" that made the vector; null: none made it.
    embedding_model text,
    -- Cast to pgvector's type where it is compared: so the table needs no extension.
    embedding real[],
    primary key (tenant_id, name, position),
    check ((embedding_model is null) = (embedding is null))
);
create index staff_passages_search on staff_passages using gin (search);

select plainloop_protect(name::regclass)
from unnest(array['staff_documents', 'staff_passages']) as name;
