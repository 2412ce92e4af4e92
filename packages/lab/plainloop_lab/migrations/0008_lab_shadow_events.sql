-- A running shadow's replay ends whenever nothing waits, and is opened again with the next run: what
-- webhooks are told is that the shadow has ended (test_a_running_shadow_tells_webhooks_nothing).
create or replace function plainloop_tell_verdict() returns trigger language plpgsql as $$
begin
    if tg_table_name = 'rollouts' then
        perform plainloop_enqueue_event(
            new.tenant_id, new.user_id, null, null, 'rollout.ended', json_build_object(
                'rollout_id', new.rollout_id, 'kind', new.kind, 'status', new.status)
        );
    elsif not exists (
        select from rollouts
        where rollouts.tenant_id = new.tenant_id and rollouts.replay_id = new.replay_id
            and rollouts.status = 'running'
    ) then
        perform plainloop_enqueue_event(
            new.tenant_id, new.user_id, null, null, 'replay.ended', json_build_object(
                'replay_id', new.replay_id, 'mode', new.mode, 'status', new.status)
        );
    end if;
    return null;
end
$$;
