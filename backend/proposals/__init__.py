"""Signatures that are written in the browser: checked, proposed for a library, and reviewed by a curator."""
