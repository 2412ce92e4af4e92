-- A user's open runs are counted and one more is begun in one transaction, one user's after the
-- other: counted before, in a statement of their own, 250 of 100 began at once.

-- Whether the user may have one more open run: fewer than `most_runs` work or are queued (null: any
-- number may); those of helpers count with their callers'. Until the transaction ends nobody else
-- finds out for this user. Who holds this waits for no row of another transaction: a thread's row is
-- taken before.
create function plainloop_take_run_slot(tenant text, own_user text, most_runs int) returns boolean
language plpgsql as $$
begin
    if most_runs is null then
        return true;
    end if;
    perform pg_advisory_xact_lock(hashtextextended(tenant || chr(31) || own_user, 78));
    -- One count for each: by an index that holds only runs that have not ended.
    return most_runs > (
        select count(*) from runs
        where tenant_id = tenant and user_id = own_user and status = 'running'
            and design not like 'helper:%'
    ) + (
        select count(*) from runs
        where tenant_id = tenant and user_id = own_user and status = 'queued'
            and design not like 'helper:%'
    );
end
$$;

-- `plainloop_begin_run` for a user who may have `most_runs` open runs (null: any number). One row of
-- nulls: the user has as many.
create function plainloop_begin_limited_run(
    most_runs int, tenant text, own_user text, thread uuid, run uuid, told_parts json,
    message_tokens int, told_run json, lease_s float8, ends_at int, most_tokens bigint,
    sentence text, first_word text, of_pack text, new_title text, long int, most_templates int
) returns table (
    "position" int, data jsonb, canary_id uuid, history json, templates json
) language plpgsql as $$
#variable_conflict use_column
begin
    if most_runs is not null then
        perform from threads
        where tenant_id = tenant and user_id = own_user and thread_id = thread
        for no key update;
        if not plainloop_take_run_slot(tenant, own_user, most_runs) then
            return next;
            return;
        end if;
    end if;
    return query select * from plainloop_begin_run(
        tenant, own_user, thread, run, told_parts, message_tokens, told_run, lease_s, ends_at,
        most_tokens, sentence, first_word, of_pack, new_title, long, most_templates
    );
end
$$;
