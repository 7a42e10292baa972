"""Fault injection: kill service processes at random points, then check for lost or duplicated work.

parts     what is killed and when, the rounds of a seed, the table
sender    a client that keeps what was acknowledged to it and tries again like tus-js-client
processes those of an instance that outlived what started them
rounds    one round: send, kill, wait until settled, compare
disk      the same with a disk that is full for a while
"""
