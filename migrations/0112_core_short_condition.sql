-- The server reads a trigger's condition anew with each step; its function is quicker with it (0102).
create or replace function plainloop_unsign() returns trigger language plpgsql as $$
begin
    if new.is_signed and old.next_position <> new.next_position then
        update threads set is_signed = false
        where tenant_id = new.tenant_id and thread_id = new.thread_id;
    end if;
    return null;
end
$$;
create or replace trigger unsign after update of next_position on threads for each row
when (old.is_signed) execute function plainloop_unsign();
