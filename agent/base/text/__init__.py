"""Text from outside: cleaned, read as JSON or a table, freed of links, secrets and markers."""
