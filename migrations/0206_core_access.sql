-- Which tables are tenants', each row to be seen by its own tenant only, and what the operator's
-- role may do with which; null: nothing.

select plainloop_make_roles();
select plainloop_open_to_operator('usage_rolled', 'select, insert, update');
select plainloop_open_to_operator('code_parts', 'select, insert');
grant select on usage_rolled, code_parts to public;

insert into protected_tables (target, is_of_tenants, operator_rights)
select name::regclass, is_of_tenants, string_to_array(rights, ', ')
from (values
    (true, null, '{threads, messages, tool_calls, approvals, helper_runs, ratings, client_threads,
        learned_votes, message_signatures, message_slices, budgets, budget_counters,
        budget_reservations, tickets, probes, audit_entries}'),
    (true, 'select', '{api_keys, held_tenants}'),
    (true, 'select, update', '{runs, steps}'),
    (true, 'select, delete', '{llm_calls, prompt_texts}'),
    (true, 'select, insert, delete',
        '{changes, usage_hours, usage_days, usage_runs, usage_avoided}'),
    (true, 'select, insert, update, delete', '{run_events}'),
    (false, 'select, insert, update', '{mcp_tools}'),
    (false, 'select, insert, update, delete', '{replicas}')
) as known (is_of_tenants, rights, names), unnest(names::text[]) as name;

select plainloop_mend();

do $$
begin
    grant usage on schema public to plainloop_app, plainloop_operator;
exception
    when insufficient_privilege or undefined_object then
        raise warning 'no right to create roles: row-level security is not forced';
end
$$;
