"""Kill what the service runs, at random points of its work, and look whether anything was lost or done twice.

parts     what is killed and when, the rounds of a seed, the table
sender    a client that keeps what was acknowledged to it and tries again like tus-js-client
rounds    one round: send, kill, wait until settled, compare
disk      the same with a disk that is full for a while
"""
