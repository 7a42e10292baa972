"""CPU time: which functions and processes spend it, who spins, and whether there is enough of it."""
