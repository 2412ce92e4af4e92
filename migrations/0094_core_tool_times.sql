-- When each tool call began, for a run's time axis. Null: recorded before this, or never begun.
alter table tool_calls add column started_at timestamptz;
