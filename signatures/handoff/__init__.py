"""A redacted case as documents for people elsewhere: summary, page, bundle, and what redaction changed."""
