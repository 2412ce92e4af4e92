"""How an answer is read, whatever wire format brought it: its thoughts, its calls, its end."""
