"""Signature drafts: folders of the library drafted from closed cases."""
