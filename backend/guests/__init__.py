"""Guest cases: create, view, claim, expire."""
