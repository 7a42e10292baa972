"""Access control: who sends a request, what an endpoint requires, which cases are visible.

principals            sessions and tokens, and the account behind each
actions               every action, with the role and the token scope it requires
decisions             which cases a principal sees, and what they may do with one
declarations          every endpoint declares its action; startup fails otherwise
dependencies          FastAPI dependencies of the routes
"""
