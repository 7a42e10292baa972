"""Profiles and time series as data for charts: call trees, tables, heat maps, histograms, exports."""
