"""The base of all tables, re-exported from `core`, which has the tables of jobs and events."""

from backend.core.db.base import Base, CleanJson, HasCreatedAt, HasId, clean_json, clean_text, uuid7

__all__ = ["Base", "CleanJson", "HasCreatedAt", "HasId", "clean_json", "clean_text", "uuid7"]
