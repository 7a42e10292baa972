"""Destinations: events are sent to webhooks of other services, with a log of every delivery."""
