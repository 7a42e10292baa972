"""Libraries of teams: pulled or uploaded, linted, judged in shadow, activated, retired."""
