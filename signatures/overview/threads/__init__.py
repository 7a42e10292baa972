"""What the threads of programs wait for: the statements of the engine of threads."""
