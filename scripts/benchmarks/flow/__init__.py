"""The flow of `bench flows`: one pack (16 tools, 3 workers), six messages, three contenders."""
