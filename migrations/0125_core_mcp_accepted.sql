-- What the operator has agreed to by name: until then a tool server's words are others'.

alter table mcp_tools add column accepted_at timestamptz; -- null: never
