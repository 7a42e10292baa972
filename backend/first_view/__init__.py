"""The first view of a case: all that its page shows at once, in one response."""
