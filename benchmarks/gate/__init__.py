"""How often the comparison of builds is wrong: recordings of one load, judged in A/A and A/B pairs."""
