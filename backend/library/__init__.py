"""The library: signatures and stories, found by words, functions, or evidence pasted into the same box."""
