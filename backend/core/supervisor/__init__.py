"""Supervisor: starts, watches and stops PostgreSQL, Valkey and our processes, in order.

programs    paths of the binaries, and how root runs them
processes   child processes: start, record, restart, stop; orphans of a killed supervisor
postgres    the embedded PostgreSQL
valkey      the embedded Valkey
supervisor  locks the data directory, starts, watches, stops
"""
