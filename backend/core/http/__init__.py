"""The HTTP server and its middleware: admission, rate limits, headers, pagination, problem documents."""
