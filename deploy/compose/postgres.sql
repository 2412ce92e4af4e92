-- Runs once, while the database's volume is empty: the service's own role, which owns its database
-- and may create the three roles that keep tenants apart, and is no superuser. The superuser has no
-- password: it can be had in the container only (`docker compose exec postgres psql -U postgres`).
\getenv password POSTGRES_PASSWORD
create role plainloop login createrole password :'password';
create database plainloop owner plainloop;
alter role postgres password null;
