"""Retro-hunts: changed signatures judged on the stored readings of past cases."""
