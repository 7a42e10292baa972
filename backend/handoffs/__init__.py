"""Handoffs: a redacted case for people elsewhere, as a bundle and a page behind a secret link."""
