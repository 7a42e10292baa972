"""Cases of people who have not signed in: create, look at, keep, expire."""
