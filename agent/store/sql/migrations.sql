-- name: list_applied
-- What was applied. expands: a version that does not know it may work on; null: nobody noted that.
-- The columns themselves are missing where an older version applied the last one.
select name, checksum, applied_at, (to_jsonb(schema_migrations) ->> 'expands')::boolean as expands,
    (to_jsonb(schema_migrations) ->> 'version')::int as version
from schema_migrations

-- name: insert_applied
-- The migration $1 was applied just now. version: null unless it is functions.sql.
insert into schema_migrations (name, checksum, undoing, expands, version)
values ($1, $2, $3, $4, $5)
on conflict (name) do update
set checksum = excluded.checksum, version = excluded.version, applied_at = now()

-- name: record_older
-- What the baseline has made is what the older migrations $1 make, with checksums $2.
insert into schema_migrations (name, checksum, expands)
select * from unnest($1::text[], $2::text[], $3::boolean[])

-- name: list_undoing
-- How to take back each thing that stands in the schema by a statement of its own.
select format('drop %s if exists %s cascade', named.type, named.identity) as statement
from (
    select 'pg_class'::regclass as class_id, oid from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
    union all
    select 'pg_proc'::regclass, oid from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select 'pg_type'::regclass, oid from pg_type
    where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
) as found,
    lateral pg_identify_object(found.class_id, found.oid, 0) as named
where not exists ( -- an extension's, an identity column's, a partition
    select from pg_depend
    where classid = found.class_id and objid = found.oid and deptype in ('e', 'i', 'a')
)

-- name: list_undone
-- How to take back what the applied migrations $1 made, the newest first; null: nobody noted it.
select undoing from schema_migrations where name = any($1) order by applied_at desc, name desc

-- name: forget
-- The migrations $1 are to be applied again.
delete from schema_migrations where name = any($1)

-- name: list_tables
-- What stands of the tables $1, and of those that the migrations $2 have made.
with wanted as (
    select name from unnest($1::text[]) as name
    union
    select substring(statement from '^drop table if exists public\."?(\w+)"? cascade$')
    from schema_migrations, unnest(undoing) as statement
    where schema_migrations.name = any($2::text[])
)
select wanted.name, pg_class.oid is not null as is_there,
    coalesce(pg_class.relrowsecurity or pg_class.relkind in ('v', 'm'), false) as is_protected,
    array(
        select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped order by attnum
    ) as columns
from wanted
left join pg_class on pg_class.relname = wanted.name
    and pg_class.relnamespace = 'public'::regnamespace and pg_class.relkind in ('r', 'p', 'v', 'm')
where wanted.name is not null order by wanted.name

-- name: drop_statements
-- What replicas of the release before made of their statements: a column may have changed its type.
select plainloop_drop_statements()
