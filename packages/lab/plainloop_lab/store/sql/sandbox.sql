-- name: list_table_columns
-- A table's columns: which number themselves, which are stored rather than computed.
select column_name, is_identity = 'YES' as is_identity, is_generated = 'NEVER' as is_stored
from information_schema.columns
where table_schema = current_schema() and table_name = $1
order by ordinal_position

-- name: list_foreign_keys
-- A table's foreign keys to tables among $2, as DDL.
select quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
from pg_constraint
where contype = 'f' and conrelid = to_regclass(quote_ident($1::text))
    and confrelid = any (
        select to_regclass(quote_ident(name)) from unnest($2::text[]) as given (name)
    )

-- name: list_sandboxes
-- The schemas whose names begin with $1.
select nspname from pg_namespace where starts_with(nspname, $1)

-- name: enter_sandbox
-- From here to the transaction's end only the tables of schema $1 have names.
select set_config('search_path', $1, true)

-- name: choose_tenant
-- Whose rows the connecting role sees until the transaction's end.
select set_config('app.tenant_id', $1, true)
