"""The parser sandbox: a confined child process reads one untrusted file."""
