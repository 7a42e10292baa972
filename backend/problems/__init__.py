"""Problems: what cases have in common, a signature or a cluster that no signature explains."""
