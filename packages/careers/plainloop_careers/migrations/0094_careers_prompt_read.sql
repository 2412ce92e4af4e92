-- The facts of every prompt as json: a run's beginning brings them (`Pack.prompt_reads`).
create function careers_read_prompt_facts(given json) returns json language sql as $$
    select row_to_json(facts) from careers_load_prompt_context(given) as facts
$$;
