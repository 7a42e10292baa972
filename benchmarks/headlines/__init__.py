"""What the overview says about published cases, beside what an expert said."""
