"""Task modules of the features: job names, job handlers and subscribers to domain events.

Every process that writes needs them: API, worker, reaper, supervisor and commands publish events whose
subscribers enqueue jobs. API and worker load them as they start, others with their first event.
"""

from __future__ import annotations

import importlib.util
import pkgutil
from functools import cache

import backend


@cache
def load_task_modules() -> None:
    """Import `backend.<feature>.tasks` of every feature that has one, in alphabetical order."""
    for feature in pkgutil.iter_modules(backend.__path__, f"{backend.__name__}."):
        if feature.ispkg and importlib.util.find_spec(f"{feature.name}.tasks"):
            importlib.import_module(f"{feature.name}.tasks")
