-- The tables of replays are plainloop-lab's, and are not in every database: of the replayed threads
-- `memory_erase_traces` asks a function, which reads the table where it is there.
create function memory_replayed() returns table (tenant_id text, replay_id uuid, thread_id uuid)
language plpgsql stable as $$
begin
    if to_regclass('replay_items') is not null then
        return query select one.tenant_id, one.replay_id, one.thread_id from replay_items as one;
    end if;
end
$$;

do $$
begin
    execute replace(
        pg_get_functiondef('memory_erase_traces'::regproc),
        'join replay_items on', 'join memory_replayed() as replay_items on'
    );
end
$$;
