"""Every decision about access: who asks, what an endpoint needs, which cases may be seen.

principals        who a secret belongs to, and whether it still holds
actions       what can be done, by which role, through which scope of a token
decisions     which cases an principal sees, and what they may do with one
declared      every endpoint says which action it is; the application is not made otherwise
dependencies  what routes ask for
"""
