-- The documents are now where those of every pack are. The tables here stay, empty, while a version
-- that reads them may still run. Forced row-level security would hide every row from the migration.
do $$
declare
    was_forced boolean := (
        select relforcerowsecurity from pg_class where oid = 'staff_documents'::regclass
    );
    name text;
    names text[] := array[
        'staff_documents', 'staff_passages', 'knowledge_documents', 'knowledge_passages'
    ];
begin
    foreach name in array names loop
        execute format('alter table %I no force row level security', name);
    end loop;
    insert into knowledge_documents (tenant_id, collection, name, size_bytes, digest, created_at)
    select tenant_id, 'staff_onboarding', staff_documents.name, size_bytes, '', created_at
    from staff_documents;
    insert into knowledge_passages (
        tenant_id, collection, name, position, heading, content, text_offset,
        embedding_model, embedding
    )
    select
        tenant_id, 'staff_onboarding', staff_passages.name, position, heading, content, 0,
        embedding_model, embedding
    from staff_passages;
    delete from staff_passages;
    delete from staff_documents;
    if was_forced then
        foreach name in array names loop
            execute format('alter table %I force row level security', name);
        end loop;
    end if;
end
$$;
