"""Everything under one roof: PostgreSQL, Valkey and our own processes, started, watched and stopped in order.

programs    where the binaries are and how root runs them
processes   one child: started, recorded, restarted, stopped; orphans of a killed supervisor
postgres    the embedded PostgreSQL
valkey      the embedded Valkey
house       the whole: locks the data directory, starts, watches, stops
"""
