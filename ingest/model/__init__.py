"""The values of the engine: citations, readings, profiles, facts, histograms, limits, errors."""
