"""What becomes of every file of collections that are no part of this repository (`make corpora`)."""
