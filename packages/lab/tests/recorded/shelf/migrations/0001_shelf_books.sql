create table shelf_books (
    tenant_id text not null,
    book_id bigint generated always as identity,
    user_id text not null,
    title text not null,
    pages int not null default 0,
    primary key (tenant_id, book_id)
);
select plainloop_protect('shelf_books');
