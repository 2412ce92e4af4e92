plainloop ask "add a book: The Castle"
plainloop ask "add a book: Momo"
plainloop ask "how many books do I have?"
