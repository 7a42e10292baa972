"""Reports of findings and cases: texts, CI formats, schemas of JSON."""
