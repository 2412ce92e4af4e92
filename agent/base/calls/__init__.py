"""What models call: names that are nearly right, and calls that go round in circles."""
