"""Cover letters: taken out of an answer, traced to résumé and profile, exported as files."""
