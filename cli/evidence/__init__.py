"""Evidence on this machine: paths, analysis, selection of samples, redaction."""
