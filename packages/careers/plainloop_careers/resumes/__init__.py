"""Résumés: read from files, structured, kept in versions."""
