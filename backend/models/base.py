"""The base of all tables; it lives in `core`, which writes jobs and events itself."""

from backend.core.db.base import Base, HasCreatedAt, HasId, clean_json, clean_text, uuid7

__all__ = ["Base", "HasCreatedAt", "HasId", "clean_json", "clean_text", "uuid7"]
