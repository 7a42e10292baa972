/* One process that keeps records in a SQLite database in memory and answers in JSON, by the arguments of stages.h. */
#include <sqlite3.h>
#include <stdint.h>

#include "stages.h"

#define REQUESTS 900
#define RECORDS 4000
#define GROUPS 40

static sqlite3 *database;
static sqlite3_stmt *insertion, *removal, *aggregation, *lookup, *extraction;
static double scores[RECORDS];
static char answer[1 << 14];
static uint64_t sink;
static int next;

static sqlite3_stmt *prepared(const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) exit(3);
    return statement;
}

static void bound(sqlite3_stmt *statement, int value) {
    sqlite3_reset(statement);
    sqlite3_bind_int(statement, 1, value);
}

STAGE void insert_rows(int part) {
    for (int row = 0, end = items(20, part); row < end; row++) {
        bound(removal, next % RECORDS);
        sqlite3_step(removal);
        bound(insertion, next % RECORDS);
        sqlite3_bind_int(insertion, 2, next % GROUPS);
        sqlite3_bind_double(insertion, 3, next * 0.37);
        sqlite3_step(insertion);
        next++;
    }
}

STAGE void group_rows(int part) {
    for (int group = 0, end = items(10, part); group < end; group++) {
        bound(aggregation, group % GROUPS);
        while (sqlite3_step(aggregation) == SQLITE_ROW) sink += (uint64_t)sqlite3_column_double(aggregation, 0);
    }
}

STAGE void find_rows(int part) {
    for (int row = 0, end = items(100, part); row < end; row++) {
        bound(lookup, row * 37 % RECORDS);
        if (sqlite3_step(lookup) == SQLITE_ROW) scores[row] = sqlite3_column_double(lookup, 0);
    }
}

STAGE double score_row(double value, int round) { return value * 0.75 + 1.0 / (1.0 + value * value + round); }

STAGE void score_rows(int part) {
    for (int row = 0, end = items(27000, part); row < end; row++)
        scores[row % RECORDS] = score_row(scores[row % RECORDS], row & 7);
}

STAGE void write_json(int part) {
    size_t length = 0;
    for (int row = 0, end = items(100, part); row < end; row++) {
        if (length > sizeof answer - 64) length = 0;
        length += (size_t)snprintf(answer + length, 64, "%s{\"id\":%d,\"score\":%.3f}", length ? "," : "", row, scores[row]);
    }
    sink += length;
}

STAGE void read_json(int part) {
    for (int row = 0, end = items(40, part); row < end; row++) {
        bound(extraction, row);
        if (sqlite3_step(extraction) == SQLITE_ROW) sink += (uint64_t)sqlite3_column_int(extraction, 0);
    }
}

static const struct stage stages[] = {{"insert_rows", insert_rows}, {"group_rows", group_rows},
                                     {"find_rows", find_rows},     {"score_rows", score_rows},
                                     {"write_json", write_json},   {"read_json", read_json}};
enum { STAGES = sizeof stages / sizeof *stages };

int main(int argc, char **argv) {
    int requests = read_arguments(argc, argv, stages, STAGES, REQUESTS);
    if (!requests) return 2;
    if (sqlite3_open(":memory:", &database) != SQLITE_OK) return 3;
    sqlite3_exec(database, "CREATE TABLE record (id INTEGER PRIMARY KEY, part INTEGER, value REAL)", NULL, NULL, NULL);
    sqlite3_exec(database, "CREATE INDEX record_part ON record (part)", NULL, NULL, NULL);
    insertion = prepared("INSERT INTO record VALUES (?, ?, ?)");
    removal = prepared("DELETE FROM record WHERE id = ?");
    aggregation = prepared("SELECT sum(value) FROM record WHERE part = ? GROUP BY id % 4");
    lookup = prepared("SELECT value FROM record WHERE id = ?");
    extraction = prepared("SELECT json_extract('{\"id\":' || ?1 || ',\"tags\":[1,2,3],\"host\":{\"name\":\"db\"}}', '$.id')");
    for (int row = 0; row < RECORDS / 20; row++) insert_rows(100);
    serve(stages, STAGES, requests);
    printf("%d requests, checksum %llu\n", requests, (unsigned long long)sink);
    return 0;
}
