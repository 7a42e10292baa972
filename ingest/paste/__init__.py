"""What people do to tool output: prompts, quoting, annotations, cuts."""
