-- Words are found by looking up the letters: of each 4,096 signatures the same bit lies side by
-- side, so a search reads as many rows as it has letters, not as many signatures as there are. What
-- is in no slice yet, and what is not signed whole, is read as before. As little as a signature
-- does a slice hold anything but bits, and it goes with any of its signatures.
alter table threads add column is_signed boolean not null default false;
create index threads_unsigned on threads (tenant_id, updated_at, thread_id) where not is_signed;

-- Where the signature lies; null: in no slice.
alter table message_signatures add column slice integer, add column number integer;
create unique index signatures_by_slice on message_signatures (tenant_id, slice, number);

create table message_slices (
    tenant_id text not null,
    place integer not null, -- of the bit in a signature
    slice integer not null,
    holders bit varying not null, -- by number, which signatures have it
    primary key (tenant_id, place, slice)
);
select plainloop_protect('message_slices');

-- What a thread says besides is in none of its signatures. After, not before: that would lock
-- every row first, also where this is not called.
create function plainloop_unsign() returns trigger language plpgsql as $$
begin
    update threads set is_signed = false
    where tenant_id = new.tenant_id and thread_id = new.thread_id;
    return null;
end
$$;
create trigger unsign after update on threads for each row
when (old.is_signed and new.is_signed and old.next_position <> new.next_position)
execute function plainloop_unsign();

-- A slice has its threads' titles in it. The row waits for who is about to put it into one.
create function plainloop_retitle() returns trigger language plpgsql as $$
begin
    update message_signatures set slice = null, number = null
    where tenant_id = new.tenant_id and thread_id = new.thread_id and first_position = 0;
    return null;
end
$$;
create trigger retitle after update of title on threads for each row
when (old.title is distinct from new.title and old.next_position > 0)
execute function plainloop_retitle();

create function plainloop_drop_slices() returns trigger language plpgsql as $$
begin
    update threads set is_signed = false from gone
    where threads.tenant_id = gone.tenant_id and threads.thread_id = gone.thread_id and is_signed;
    if exists (select from gone where slice is not null) then
        delete from message_slices using generate_series(0, 4095) as places (place),
            (select distinct tenant_id, slice from gone where slice is not null) as dropped
        where message_slices.tenant_id = dropped.tenant_id
            and message_slices.slice = dropped.slice and message_slices.place = places.place;
        update message_signatures set slice = null, number = null
        from (select distinct tenant_id, slice from gone where slice is not null) as dropped
        where message_signatures.tenant_id = dropped.tenant_id
            and message_signatures.slice = dropped.slice;
    end if;
    return null;
end
$$;
create trigger drop_slices after delete on message_signatures
referencing old table as gone for each statement execute function plainloop_drop_slices();
