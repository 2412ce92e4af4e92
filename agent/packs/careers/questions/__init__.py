"""What people ask about their search, read by phrases of four languages, in any order."""
