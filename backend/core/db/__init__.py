"""The database: sessions, base of the tables, migrations, LISTEN/NOTIFY."""
