-- What calls of unknown cost took at most, and tags of runs, in the ledger and its sums.

-- The most that the call may cost, known before it is made; null: its price is not known.
alter table llm_calls add column most_usd numeric;
-- Of its run, when it was made.
alter table llm_calls add column tags text[] not null default '{}';
alter table runs add column tags text[] not null default '{}';
alter table usage_runs add column tags text[] not null default '{}';

-- Of the calls of unknown cost: how many have such a bound, and their bounds together.
alter table usage_hours add column bounded_calls bigint not null default 0;
alter table usage_hours add column at_most_usd numeric;
alter table usage_days add column bounded_calls bigint not null default 0;
alter table usage_days add column at_most_usd numeric;
alter table usage_runs add column bounded_calls bigint not null default 0;
alter table usage_runs add column at_most_usd numeric;

-- Stopped: its limit of cost left no room; it goes on with a higher one.
alter table replays
    drop constraint replays_status_check,
    add constraint replays_status_check check (
        status in ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'stopped')
    );
