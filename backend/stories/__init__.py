"""Stories that people here write: drafts, revisions, and what of it everybody finds in the library."""
