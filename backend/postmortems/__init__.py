"""What people make of a case: notes, its timeline, and how it ended."""
