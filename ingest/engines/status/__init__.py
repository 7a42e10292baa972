"""States of objects that tools list or describe: pods, units, containers, pools, disks, arrays, clusters.

    statuses(["NAME  READY  STATUS            RESTARTS  AGE", "web   0/1    CrashLoopBackOff  61        3h"])
    ->  Status(kind="pod", name="web", word="crash_loop", state="CrashLoopBackOff", restarts=61.0, …)

Tables, YAML, JSON, indented descriptions and single lines become records of fields; `states.yaml` says which
words of a field mean what. It knows fields and words, no tool.
"""
