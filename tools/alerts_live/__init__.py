"""Alerts with real programs of Prometheus: `make alerts-live`."""
