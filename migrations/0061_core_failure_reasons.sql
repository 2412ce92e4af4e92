-- Why a model call failed, in the provider's words without secrets: for who runs the service.
alter table llm_calls add column error_message text;
