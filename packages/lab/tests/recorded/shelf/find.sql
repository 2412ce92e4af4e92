select book_id, title, pages from shelf_books
where tenant_id = $1 and user_id = $2 and title ilike $3 order by title
