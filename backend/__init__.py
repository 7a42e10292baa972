"""The service: everything around the engine that needs a database, a broker or a web server."""
