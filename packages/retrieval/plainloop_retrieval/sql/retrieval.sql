-- name: save_document
-- A new document, or a new text of one.
insert into knowledge_documents (tenant_id, collection, name, size_bytes, digest, is_outside)
values ($1, $2, $3, $4, $5, $6)
on conflict (tenant_id, collection, name)
do update set
    size_bytes = excluded.size_bytes, digest = excluded.digest,
    is_outside = excluded.is_outside, created_at = now()

-- name: set_aside
-- The passages of the document's former text, until those of the new one have their vectors.
update knowledge_passages set position = -position
where tenant_id = $1 and collection = $2 and name = $3

-- name: save_passages
-- The passages of a document; what stood in it before keeps its vector.
insert into knowledge_passages (
    tenant_id, collection, name, position, heading, content, page, text_offset,
    embedding_model, embedding
)
select $1, $2, $3, new.position, new.heading, new.content, new.page, new.text_offset,
    old.embedding_model, old.embedding
from json_to_recordset($4::json) as new (
    position integer, heading text, content text, page integer, text_offset integer
)
left join (
    select distinct on (heading, content) heading, content, embedding_model, embedding
    from knowledge_passages
    where tenant_id = $1 and collection = $2 and name = $3 and embedding is not null
    order by heading, content
) as old on old.heading = new.heading and old.content = new.content

-- name: delete_set_aside
-- What was replaced.
delete from knowledge_passages
where tenant_id = $1 and collection = $2 and name = $3 and position < 0

-- name: list_documents
-- A collection's documents by name.
select
    d.name, d.size_bytes, d.digest, d.is_outside, d.created_at, count(p.position) as passages,
    count(p.embedding) as embedded
from knowledge_documents as d
left join knowledge_passages as p
    on p.tenant_id = d.tenant_id and p.collection = d.collection and p.name = d.name
where d.tenant_id = $1 and d.collection = $2 and ($3::text is null or d.name = $3)
group by d.tenant_id, d.collection, d.name
order by d.name

-- name: take_turn
-- Documents of a collection are counted and stored one after the other: until the transaction ends.
select pg_advisory_xact_lock(hashtextextended($1 || chr(31) || $2, 80))

-- name: count_others
-- How many documents there are beside this one.
select count(*) from knowledge_documents
where tenant_id = $1 and collection = $2 and name <> $3

-- name: count_all
-- Of all tenants: documents, their passages, and those of them without a vector.
select
    (select count(*) from knowledge_documents) as documents,
    count(*) as passages, count(*) filter (where embedding is null) as without
from knowledge_passages

-- name: delete_document
-- One document, with its passages.
delete from knowledge_documents where tenant_id = $1 and collection = $2 and name = $3

-- name: has_vectors
-- Whether pgvector is there.
select to_regtype('vector') is not null

-- name: count_missing
-- How many passages this model has not made a vector of.
select count(*) from knowledge_passages
where tenant_id = $1 and collection = $2 and ($3::text is null or name = $3)
    and embedding_model is distinct from $4

-- name: list_missing
-- The next passages that this model has not made a vector of.
select name, position, heading, content from knowledge_passages
where tenant_id = $1 and collection = $2 and ($3::text is null or name = $3)
    and embedding_model is distinct from $4
order by name, position
limit $5

-- name: save_vectors
-- Vectors of passages, where a passage still is what the vector was made of.
update knowledge_passages as p
set embedding_model = $3, embedding = new.embedding
from json_to_recordset($4::json) as new (
    name text, position integer, heading text, content text, embedding real[]
)
where p.tenant_id = $1 and p.collection = $2 and p.name = new.name and p.position = new.position
    and p.heading = new.heading and p.content = new.content

-- name: search_text
-- Passages with any of the words: rare words count more, headings more than text.
with words as (
    select distinct word
    from unnest(tsvector_to_array(to_tsvector('english', $3))) as word
), weighed as (
    select
        words.word,
        ln(1 + total.n::float8 / greatest(count(p.position), 1)) as weight
    from words
    cross join (
        select count(*) as n from knowledge_passages where tenant_id = $1 and collection = $2
    ) as total
    left join knowledge_passages as p
        on p.tenant_id = $1 and p.collection = $2
        and p.search @@ quote_literal(words.word)::tsquery
    group by words.word, total.n
), found as (
    select
        p.name, p.position,
        sum(
            weighed.weight
            * (1 + ts_rank('{0, 0, 0.5, 1}', p.search, quote_literal(weighed.word)::tsquery, 1))
        ) as score
    from weighed
    join knowledge_passages as p
        on p.tenant_id = $1 and p.collection = $2
        and p.search @@ quote_literal(weighed.word)::tsquery
    group by p.name, p.position
    order by score desc, p.name, p.position
    limit $4
)
select
    found.name, found.position, p.heading, p.content, p.page, p.text_offset, d.is_outside,
    found.score
from found
join knowledge_passages as p
    on p.tenant_id = $1 and p.collection = $2 and p.name = found.name
    and p.position = found.position
join knowledge_documents as d
    on d.tenant_id = $1 and d.collection = $2 and d.name = found.name
order by found.score desc, found.name, found.position

-- name: search_vectors
-- Passages nearest in meaning, of those that the same model has embedded.
with near as materialized (
    select name, position, heading, content, page, text_offset, embedding
    from knowledge_passages
    where tenant_id = $1 and collection = $2 and embedding_model = $3
        and cardinality(embedding) = cardinality($4::real[])
)
select
    near.name, near.position, near.heading, near.content, near.page, near.text_offset,
    d.is_outside, 1 - (near.embedding::vector <=> $4::real[]::vector) as score
from near
join knowledge_documents as d on d.tenant_id = $1 and d.collection = $2 and d.name = near.name
order by near.embedding::vector <=> $4::real[]::vector, near.name, near.position
limit $5
