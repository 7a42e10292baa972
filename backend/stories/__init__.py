"""Local stories: drafts, revisions and publication in the library."""
