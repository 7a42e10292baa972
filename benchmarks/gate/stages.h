/* Stages of a load of fixed work, and its arguments: `LOAD [STAGE=PERCENT]… [requests=N]`.

   `all=50` makes every stage take 50 % longer. A run does the same work as any other run with the same arguments: runs
   differ by the machine alone. */
#ifndef STAGES_H
#define STAGES_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAGE __attribute__((noinline)) static
#define MOST_STAGES 16

struct stage {
    const char *name;
    void (*run)(int part);
};

static int parts[MOST_STAGES];

/* How many of `count` items a stage processes that takes `part` percent of its normal time. */
static inline int items(int count, int part) { return (int)((long)count * part / 100); }

/* Read the arguments into `parts`; return the number of requests, 0 where an argument is wrong. */
static int read_arguments(int argc, char **argv, const struct stage *stages, int count, int requests) {
    for (int stage = 0; stage < count; stage++) parts[stage] = 100;
    for (int at = 1; at < argc; at++) {
        char *value = strchr(argv[at], '=');
        if (!value) return 0;
        *value++ = 0;
        if (!strcmp(argv[at], "requests")) requests = atoi(value);
        for (int stage = 0; stage < count; stage++)
            if (!strcmp(argv[at], "all") || !strcmp(argv[at], stages[stage].name)) parts[stage] += atoi(value);
    }
    return requests;
}

static inline void serve(const struct stage *stages, int count, int requests) {
    for (int request = 0; request < requests; request++)
        for (int stage = 0; stage < count; stage++) stages[stage].run(parts[stage]);
}
#endif
