"""The tracker's jobs: their fields, files, sheets and pages."""
