"""A vendor's wire format that plainloop does not speak: what `test_new_wire` adds to a copy."""
