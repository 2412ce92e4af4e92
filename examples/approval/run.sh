# The pack is that of ../own_table: delete_book has needs_approval=True.
cd ../own_table
plainloop ask "add a book: Dracula"
plainloop ask "delete book 1" || echo "exit code $?: it waits for a person"
plainloop approvals
plainloop approve
plainloop ask "how many books do I have?"
