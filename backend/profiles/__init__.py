"""Profiles and measurements as pictures: call trees, tables, samples in time, histograms, exports."""
