"""Alerts of monitoring systems open and extend cases."""
