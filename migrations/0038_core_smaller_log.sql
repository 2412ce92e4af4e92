-- What Postgres logs for a turn, without anything that was kept less.

-- A block-range index is made with its first range summed up, and every row that comes later writes
-- that sum again. Left open, like the newest range of a table that has grown, it costs a writer
-- nothing; it is summed up when the next one begins.
select brin_desummarize_range(oid, 0)
from pg_class
where relname in ('llm_calls_by_time', 'steps_by_time') and relkind = 'i'
    and relnamespace = 'public'::regnamespace;

-- A ledger row with a long request lay whole in its page until it was settled, and was then too long
-- for that: the request moved out, and was logged twice. It lies outside from the beginning, where
-- it is not read by reports, and the second write keeps it.
do $$
declare
    part regclass;
begin
    for part in
        select oid from pg_class
        where relkind = 'r' and (
            oid = 'llm_calls'::regclass
            or oid in (select inhrelid from pg_inherits where inhparent = 'llm_calls'::regclass)
        )
    loop
        execute format('alter table %s set (toast_tuple_target = 1024)', part);
    end loop;
end
$$;
