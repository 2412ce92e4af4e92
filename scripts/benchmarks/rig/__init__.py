"""What every benchmark needs: a scratch Postgres, a wire server of its own process, tables."""
