"""Memory: who holds it, what it lacks, and what reclaim, limits and the OOM killer did."""
