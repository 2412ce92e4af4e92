"""Rates: what all replicas together may ask of a provider in a minute."""
