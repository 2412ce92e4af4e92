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
