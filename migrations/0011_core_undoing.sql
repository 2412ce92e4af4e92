-- What a pack's migration made, as statements that take it back: `plainloop migrate --reset`, and
-- the look at a pack's tables when the service starts. Also made before the first migration is
-- applied, which notes it already.
alter table schema_migrations add column if not exists undoing text[];
