"""Handoffs: a case for people elsewhere, redacted: bundle, page behind a secret link, messages, to an end."""
