"""What all domains have in common: how a pack is found, checked and given its commands."""
