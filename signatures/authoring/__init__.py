"""For authors of signatures: drafts, lint, fixture tests, exports."""
