-- Words are found in conversations by signatures, each of a few messages in a row: for each three
-- letters in a row that they hold one bit is set. Only where all bits of what is looked for are set
-- the messages themselves are read. Whoever searches writes them, never a turn, and what has none
-- yet is read (`save_signatures`). Deleted with the thread, as every table with its id.
create table message_signatures (
    tenant_id text not null,
    thread_id uuid not null,
    first_position integer not null,
    -- The position after the last one.
    until_position integer not null,
    signature bit(4096) not null,
    primary key (tenant_id, thread_id, first_position)
);
select plainloop_protect('message_signatures');

-- Of letters' code points and nothing else, so that it is the same in every version and on every
-- machine. What is very long has all bits: taking it apart takes longer than reading it.
create function plainloop_signature(said text) returns bit(4096)
language sql immutable strict parallel safe as $$
    select case when length(said) > 100000 then ~ repeat('0', 4096)::bit(4096) else coalesce((
        select bit_or(set_bit(repeat('0', 4096)::bit(4096), place::int, 1)) from (
            select distinct (
                ascii(letter) + ascii(lag(letter) over named) * 281::bigint
                    + ascii(lag(letter, 2) over named) * 7919::bigint
            ) % 4096 as place
            from string_to_table(said, null) with ordinality as letters (letter, n)
            window named as (order by n)
        ) as places
        where place is not null
    ), repeat('0', 4096)::bit(4096)) end
$$;

-- Messages are not changed but where something in them is erased; then its traces go as well.
create function plainloop_forget_signatures() returns trigger language plpgsql as $$
begin
    delete from message_signatures
    where tenant_id = new.tenant_id and thread_id = new.thread_id;
    return null;
end
$$;
create trigger forget_signatures after update of parts on messages
for each row execute function plainloop_forget_signatures();
