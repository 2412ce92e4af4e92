-- A batch at a provider is called that: `batch_id` is ours, `provider_batch_id` the provider's.
alter table replay_waves rename column batch_id to provider_batch_id;
alter table replay_waves rename column wave_id to batch_id;
alter table replay_waves rename to replay_batches;
alter index replay_waves_pkey rename to replay_batches_pkey;
alter index replay_waves_by_number rename to replay_batches_by_number;

alter table replay_wave_requests rename column wave_id to batch_id;
alter table replay_wave_requests rename to replay_batch_requests;
alter index replay_wave_requests_pkey rename to replay_batch_requests_pkey;
alter index replay_wave_requests_by_item rename to replay_batch_requests_by_item;
