"""The library: signatures and stories, searched by words, functions or pasted evidence."""
