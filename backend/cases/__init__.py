"""Cases: one incident each, with its event log."""
