"""Accounts: who may come in, by browser or token."""
