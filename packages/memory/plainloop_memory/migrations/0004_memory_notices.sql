-- A changed prompt is appended to its conversation (`agent/workers/epochs.py`): with an answer, and
-- in what the ledger keeps of the request. A memory that goes is gone from there as well.
create function memory_erase_notices() returns trigger language plpgsql as $$
declare
    erased record;
    line text;
    blank text;
begin
    for erased in
        select distinct tenant_id, user_id, memory_id, text from gone
        where tenant_id is distinct from current_setting('app.moved_tenant', true)
    loop
        -- As it stands inside a JSON string.
        line := to_json('#' || erased.memory_id || ' ' || erased.text)::text;
        line := substr(line, 2, length(line) - 2);
        blank := '#' || erased.memory_id || ' (erased)';
        update messages set parts = replace(parts::text, line, blank)::json
        where tenant_id = erased.tenant_id and role = 'assistant'
            and thread_id in (
                select thread_id from threads
                where tenant_id = erased.tenant_id and user_id = erased.user_id
            )
            and strpos(parts::text, '"notices"') > 0 and strpos(parts::text, line) > 0;
        update llm_calls
        set fingerprint = null, extra_messages = replace(extra_messages::text, line, blank)::json
        where tenant_id = erased.tenant_id and user_id = erased.user_id
            and strpos(extra_messages::text, line) > 0;
    end loop;
    return null;
end
$$;
create trigger erase_notices after delete on memories referencing old table as gone
for each statement execute function memory_erase_notices();
