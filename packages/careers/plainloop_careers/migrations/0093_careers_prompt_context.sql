-- Profile text and what the latest résumé is, for every prompt: one read, in one round trip.
create function careers_load_prompt_context(given json) returns table (
    content text, is_untrusted boolean, format text, created_at timestamptz, candidate text,
    positions int
) language plpgsql as $$
#variable_conflict use_column
declare
    tenant text := plainloop_act_as(given);
    own_user text := given ->> 'user_id';
begin
    return query
    select
        coalesce(profile.content, ''), coalesce(profile.is_untrusted, false), resume.format,
        resume.created_at, resume.data -> 'basics' ->> 'name',
        json_array_length(resume.data -> 'work')
    from (select tenant as tenant_id, own_user as user_id) as owner
    left join careers_profiles as profile
        on profile.tenant_id = owner.tenant_id and profile.user_id = owner.user_id
    left join lateral (
        select * from careers_resumes as item
        where item.tenant_id = owner.tenant_id and item.user_id = owner.user_id
        order by item.version desc
        limit 1
    ) as resume on true;
end
$$;
