"""What operators and admins use: the ledger's files, webhooks, schedules, moves of tenants."""
