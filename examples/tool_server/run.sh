# tickets.py needs the official package: pip install mcp
export PYTHONPATH=../own_table
plainloop mcp servers
