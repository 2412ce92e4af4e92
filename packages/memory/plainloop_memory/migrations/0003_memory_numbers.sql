-- Numbers of memories count within a tenant: one sequence for all told each tenant, by its gaps, how
-- much the others had kept. Numbers that exist stay, for prompts and traces of erasing name them.

-- The last number that was given: one of an erased memory is never given again.
create table memory_numbers (
    tenant_id text primary key,
    last_id bigint not null
);
select plainloop_protect('memory_numbers');

alter table memories alter column memory_id drop identity;

-- A trigger, so that a replica of the release before may go on inserting without a number.
create function memory_number() returns trigger language plpgsql as $$
begin
    insert into memory_numbers as known (tenant_id, last_id)
    values (new.tenant_id, 1 + greatest(
        (select max(memory_id) from memories where tenant_id = new.tenant_id),
        (select max(memory_id) from memory_erasures where tenant_id = new.tenant_id),
        0
    ))
    on conflict (tenant_id) do update set last_id = known.last_id + 1
    returning last_id into new.memory_id;
    return new;
end
$$;
create trigger number before insert on memories
for each row when (new.memory_id is null) execute function memory_number();
