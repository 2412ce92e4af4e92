-- name: record_events
-- One flush of a run's events, if the fence holds.
insert into run_events (tenant_id, run_id, seq, last_seq, events)
select $1, $2, $4, $5, $6
where exists (
    select from runs
    where tenant_id = $1 and run_id = $2 and fence = $3 and status in ('running', 'waiting')
)

-- name: insert_events
-- Events of a run that this transaction ends.
insert into run_events (tenant_id, run_id, seq, last_seq, events)
values ($1, $2, $3, $4, $5)

-- name: load_events
-- The flushes that hold events after $3. The first may begin before it.
select seq, events
from run_events
where tenant_id = $1 and run_id = $2 and last_seq > $3
    and seq >= coalesce((
        select max(seen.seq)
        from run_events as seen
        where seen.tenant_id = $1 and seen.run_id = $2 and seen.seq <= $3 + 1
    ), 0)
order by seq

-- name: load_last_seq
-- The number of the last stored event; 0 when there is none.
select coalesce(max(last_seq), 0)
from run_events
where tenant_id = $1 and run_id = $2
