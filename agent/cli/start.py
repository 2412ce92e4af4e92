"""`plainloop start`: everything up, then how to ask."""

from __future__ import annotations

from agent.cli import output
from agent.cli.serving import describe_model, open_service
from agent.config import load_settings


async def start() -> None:
    settings = load_settings()
    async with open_service(settings) as service:
        where = "embedded Postgres" if settings.database.url is None else "DATABASE_URL"
        output.write_line("plainloop is ready")
        output.write_line(f"  answers   {describe_model(service)}")
        output.write_line(f"  database  {where}, migrated")
        output.write_line(f"  files     {settings.data_dir}")
        output.write_line('Ask:  ./scripts/start ask "how many jobs have I applied to?"')
        output.write_line("Talk: ./scripts/start chat    All commands: ./scripts/start --help")
