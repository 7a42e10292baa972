"""What readers share: their protocol, facts of files, series, profiles, documents."""
