-- What gates said, kept where a candidate is a replay of this database or somebody asks for it;
-- webhooks are told in the same transaction.

create table gate_verdicts (
    tenant_id text not null,
    verdict_id uuid not null,
    -- Who asked.
    user_id text not null,
    verdict text not null check (verdict in ('passed', 'failed', 'undecided')),
    -- SHA-256 of the rules, as hex: the same for the same demands.
    rules text not null,
    -- [{"replay_id", "verdict", "tasks"}], in the order in which they were named; replay_id is null
    -- where the candidate was a file.
    candidates json not null,
    decided_at timestamptz not null default now(),
    primary key (tenant_id, verdict_id)
);
select plainloop_protect('gate_verdicts');

create function plainloop_tell_gate() returns trigger language plpgsql as $$
begin
    perform plainloop_enqueue_event(
        new.tenant_id, new.user_id, null, null, 'gate.decided', json_build_object(
            'verdict_id', new.verdict_id, 'verdict', new.verdict, 'rules', new.rules,
            'candidates', new.candidates)
    );
    return null;
end
$$;
create trigger tell_webhooks after insert on gate_verdicts for each row
execute function plainloop_tell_gate();
