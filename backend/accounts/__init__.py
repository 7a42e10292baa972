"""Accounts: sign-in, members, teams and tokens."""
