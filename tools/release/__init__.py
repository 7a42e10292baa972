"""The distribution `kernel-casebook`: source tree, wheels, checksums, checks in clean environments."""
