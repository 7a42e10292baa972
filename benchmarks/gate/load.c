/* Two processes that parse, join, sort, format and map memory: user and kernel code, by the arguments of stages.h.

   Each serves 1,600 requests; a request runs seven stages of 20 to 150 microseconds. */
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stages.h"

#define PROCESSES 2
#define REQUESTS 1600
#define ROWS 3000
#define PAGE 4096
#define BLOCK (1 << 16)

static char text[ROWS * 12], block[BLOCK];
static uint32_t rows[ROWS], sorted[ROWS], counts[1 << 16];
static uint64_t sink;
static int file;

STAGE uint32_t parse_field(const char **at) {
    uint32_t value = 0;
    while (**at >= '0') value = value * 10 + (uint32_t)(*(*at)++ - '0');
    (*at)++;
    return value;
}

STAGE void parse_rows(int part) {
    const char *at = text;
    for (int row = 0, end = items(5100, part); row < end; row++) {
        if (row % ROWS == 0) at = text;
        rows[row % ROWS] = parse_field(&at);
    }
}

STAGE uint32_t hash_row(uint32_t key) {
    key = (key ^ key >> 16) * 0x7feb352dU;
    key = (key ^ key >> 15) * 0x846ca68bU;
    return key ^ key >> 16;
}

STAGE void hash_join(int part) {
    for (int row = 0, end = items(15000, part); row < end; row++)
        sink += counts[hash_row(rows[row % ROWS]) & 0xffff]++;
}

STAGE int compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

STAGE void sort_rows(int part) {
    size_t count = (size_t)items(1500, part);
    memcpy(sorted, rows, count * sizeof *rows);
    qsort(sorted, count, sizeof *sorted, compare);
}

STAGE void format_rows(int part) {
    char line[32];
    for (int row = 0, end = items(600, part); row < end; row++)
        sink += (uint64_t)snprintf(line, sizeof line, "%u,%u", rows[row], sorted[row]);
}

STAGE void scan_index(int part) {
    for (int at = 0, end = items(25000, part); at < end; at++) sink += counts[at * 167 & 0xffff];
}

STAGE void read_pages(int part) {
    for (int at = 0, end = items(20, part); at < end; at++)
        sink += (uint64_t)pread(file, block, sizeof block, at % 16 * BLOCK);
}

STAGE void map_buffers(int part) {
    size_t bytes = (size_t)items(60, part) * PAGE;
    char *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t at = 0; at < bytes; at += PAGE) pages[at] = 1;
    munmap(pages, bytes);
}

static const struct stage stages[] = {{"parse_rows", parse_rows},   {"hash_join", hash_join},
                                     {"sort_rows", sort_rows},     {"format_rows", format_rows},
                                     {"scan_index", scan_index},   {"read_pages", read_pages},
                                     {"map_buffers", map_buffers}};
enum { STAGES = sizeof stages / sizeof *stages };

int main(int argc, char **argv) {
    int requests = read_arguments(argc, argv, stages, STAGES, REQUESTS);
    if (!requests) return 2;
    uint32_t seed = 7;
    char *end = text;
    for (int row = 0; row < ROWS; row++) {
        seed = seed * 1664525U + 1013904223U;
        end += sprintf(end, "%u,", 100000000U + seed % 899999999U);
    }
    char path[] = "/tmp/loadXXXXXX";
    file = mkstemp(path);
    unlink(path);
    for (int at = 0; at < 16; at++)
        if (write(file, block, sizeof block) != sizeof block) return 1;
    for (int process = 1; process < PROCESSES && fork(); process++) {}
    serve(stages, STAGES, requests);
    while (wait(NULL) > 0) {}
    printf("%d requests, checksum %llu\n", requests, (unsigned long long)sink);
    return 0;
}
