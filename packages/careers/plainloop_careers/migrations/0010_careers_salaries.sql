-- What a salary is in, and for how long. Null: not known; nobody guesses it for older jobs. "$", "¥"
-- and "kr" are several countries' money: kept as they were said.
alter table careers_jobs
add column salary_currency text check (salary_currency ~ '^([A-Z]{3}|[$¥]|kr)$'),
add column salary_period text check (
    salary_period in ('hour', 'day', 'week', 'month', 'year')
),
-- An hour's pay has cents.
alter column salary_min type numeric(12, 2),
alter column salary_max type numeric(12, 2);
