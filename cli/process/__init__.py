"""The process of a command: arguments, confinement, output, progress, exit statuses."""
