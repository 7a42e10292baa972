"""Backup and restore of an instance: its database and its object store in one directory."""
