-- `plainloop_backup` reads all tenants only where somebody has become it (`set role`, which
-- `pg_dump --role` does). Before Postgres 16 a member inherits a role's policies, so the service's
-- own role read every tenant without asking (test_a_member_of_the_backup_role_reads_nothing).

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
