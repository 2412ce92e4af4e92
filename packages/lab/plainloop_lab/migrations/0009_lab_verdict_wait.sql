-- People judge one answer after another, and each verdict needs the whole report: it is due some
-- seconds after the last judgement.
create or replace function lab_ask_verdict() returns trigger language plpgsql as $$
declare
    changed record;
    wait interval := '0 seconds';
begin
    if tg_table_name = 'replay_verdicts' then
        wait := '10 seconds';
    end if;
    if tg_op = 'DELETE' then
        changed := old;
    else
        changed := new;
    end if;
    -- A tenant that has moved brings its verdicts along.
    if changed.tenant_id is distinct from current_setting('app.moved_tenant', true) then
        update replays set verdict_due = clock_timestamp() + wait
        where tenant_id = changed.tenant_id and replay_id = changed.replay_id
            and ended_at is not null;
    end if;
    return null;
end
$$;
