-- Webhooks are told of models' price changes and re-routes too, each once like a shutdown date.

-- Of `model.changed`, `successor` is the kind with the answering model or the new price.
alter table told_endings add column event text not null default 'model.ending';
alter table told_endings drop constraint told_endings_pkey;
alter table told_endings add primary key
    (tenant_id, webhook_id, event, provider, models, ends, successor);
