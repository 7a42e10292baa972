"""Task modules of the features: job names, job handlers and subscribers to domain events.

Every process that writes needs them: the API and the reaper publish events whose subscribers enqueue jobs.
"""

from __future__ import annotations

import importlib.util
import pkgutil

import backend


def load_task_modules() -> None:
    """Import `backend.<feature>.tasks` of every feature that has one, in alphabetical order."""
    for feature in pkgutil.iter_modules(backend.__path__, "backend."):
        if feature.ispkg and importlib.util.find_spec(f"{feature.name}.tasks"):
            importlib.import_module(f"{feature.name}.tasks")
