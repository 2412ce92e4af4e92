-- The domain's reads, each a transaction by itself in one round trip: see migrations/functions.sql.
create function bench_list_jobs(given json) returns table (
    job_id bigint, company text, title text, status text, location text, salary_max int, notes text
) language plpgsql as $$
#variable_conflict use_column
declare
    tenant text := plainloop_act_as(given);
    told record;
begin
    select * into told from json_to_record(given) as named (
        user_id text, status text, company text, title text, most int
    );
    return query
    select job_id, company, title, status, location, salary_max, notes
    from bench_jobs
    where tenant_id = tenant and user_id = told.user_id
        and (told.status is null or status = told.status)
        and (told.company is null or company ilike '%' || told.company || '%')
        and (told.title is null or title ilike '%' || told.title || '%')
    order by job_id desc
    limit told.most;
end
$$;

create function bench_load_text(given json) returns text language plpgsql as $$
declare
    tenant text := plainloop_act_as(given);
begin
    return (
        select content from bench_texts
        where tenant_id = tenant and user_id = given ->> 'user_id' and name = given ->> 'name'
    );
end
$$;

create function bench_read_profile(given json) returns json language sql as $$
    select to_json(bench_load_text(
        json_build_object(
            'tenant_id', given -> 'tenant_id', 'rights', given -> 'rights',
            'user_id', given -> 'user_id', 'name', 'profile'
        )
    ))
$$;
