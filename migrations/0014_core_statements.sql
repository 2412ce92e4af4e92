-- Statements that are often a transaction by themselves are kept as functions, made when a process
-- starts (agent/store/transactions.py): one round trip sets the tenant and the role and runs the
-- statement. They are the callers' rights that hold inside: no `security definer`.

-- parameters: the statement's types; columns: of its rows, empty when it has none, and then the
-- function gives how many rows it changed. needs_row: without a row nothing is done.
create function plainloop_keep_statement(
    name text, statement text, parameters text[], columns text, needs_row boolean
) returns void language plpgsql as $make$
declare
    types text := array_to_string(parameters || array['text', 'text'], ', ');
    begins text := format(
        'perform set_config(''app.tenant_id'', $%s, true), set_config(''role'', $%s, true),'
        ' set_config(''lock_timeout'', ''10000'', true);',
        cardinality(parameters) + 1, cardinality(parameters) + 2
    );
begin
    if columns = '' then
        execute format(
            'create or replace function %I(%s) returns bigint language plpgsql as %L', name, types,
            format(
                'declare changed bigint; begin %s %s ; get diagnostics changed = row_count;'
                ' return changed; end', begins, statement || chr(10)
            )
        );
    else
        execute format(
            'create or replace function %I(%s) returns table (%s) language plpgsql as %L',
            name, types, columns,
            format(
                E'#variable_conflict use_column\nbegin %s return query %s ; %s end', begins,
                statement || chr(10),
                case when needs_row then 'if not found then raise no_data_found; end if;' end
            )
        );
    end if;
end
$make$;

-- A column may have changed its type: what was kept before a migration is made again.
create function plainloop_drop_statements() returns void language plpgsql as $drop$
declare
    kept regprocedure;
begin
    for kept in
        select oid from pg_proc
        where pronamespace = 'public'::regnamespace and proname ~ '^plainloop_.*_[0-9a-f]{12}$'
            and proowner = (select oid from pg_roles where rolname = current_user)
    loop
        execute format('drop function %s', kept);
    end loop;
end
$drop$;
