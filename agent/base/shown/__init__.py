"""What models are shown instead of more: tools in a line, reviews of what changed."""
