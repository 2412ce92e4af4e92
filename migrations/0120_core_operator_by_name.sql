-- `plainloop_operator` works for all tenants only where the service has become it (`set role`), as
-- 0119 has it for `plainloop_backup`: the service's own role, a member, inherited its policy and read
-- prompts, runs and calls of every tenant (test_a_role_reads_no_tenant_before_it_is_set).
--
-- A policy beside `operator_all`, which stays `true`, and not another condition in it: policies that
-- permit are joined by `or`, and `true` makes the other one vanish from every plan. And `is not null`
-- because the planner takes that to hold for nearly every row, `current_user = …` for one in two
-- hundred: plans of the operator's statements stay as they were (162 compared).

-- Nothing is written where nothing is missing: this runs at every start.
create or replace function plainloop_mend_table(target regclass, is_of_tenants boolean, rights text[])
returns void language plpgsql as $$
declare
    right_name text;
    rule text;
begin
    if is_of_tenants then
        if not (select relrowsecurity from pg_class where oid = target) then
            execute format('alter table %s enable row level security', target);
        end if;
        if not exists (select from pg_policy where polrelid = target and polname = 'tenant_only') then
            execute format(
                'create policy tenant_only on %s'
                ' using (tenant_id = nullif(current_setting(''app.tenant_id'', true), ''''))',
                target
            );
        end if;
    end if;
    if is_of_tenants and exists (select from pg_roles where rolname = 'plainloop_app') then
        foreach right_name in array array['select', 'insert', 'update', 'delete'] loop
            if not has_table_privilege('plainloop_app', target, right_name) then
                execute format('grant %s on %s to plainloop_app', right_name, target);
            end if;
        end loop;
        -- Forced holds for the owner as well, who then sees nothing but through the role.
        if not (select relforcerowsecurity from pg_class where oid = target)
            and plainloop_can_assume('plainloop_app')
        then
            execute format('alter table %s force row level security', target);
        end if;
    end if;
    if rights is not null and exists (select from pg_roles where rolname = 'plainloop_operator') then
        foreach right_name in array rights loop
            if not has_table_privilege('plainloop_operator', target, right_name) then
                execute format('grant %s on %s to plainloop_operator', right_name, target);
            end if;
        end loop;
        if not exists (select from pg_policy where polrelid = target and polname = 'operator_all') then
            execute format('create policy operator_all on %s to plainloop_operator using (true)', target);
        end if;
        if not exists (
            select from pg_policy where polrelid = target and polname = 'operator_by_name'
        ) then
            execute format(
                'create policy operator_by_name on %s as restrictive to plainloop_operator using'
                ' (case when current_user = ''plainloop_operator'' then true end is not null)', target
            );
        end if;
    end if;
    if is_of_tenants and exists (select from pg_roles where rolname = 'plainloop_backup') then
        select pg_get_expr(polqual, polrelid) into rule from pg_policy
        where polrelid = target and polname = 'backup_all';
        if rule is null then
            execute format(
                'create policy backup_all on %s for select to plainloop_backup'
                ' using (current_user = ''plainloop_backup'')', target
            );
        elsif rule = 'true' then
            execute format(
                'alter policy backup_all on %s using (current_user = ''plainloop_backup'')', target
            );
        end if;
    end if;
end
$$;

select plainloop_mend();
