/* Two processes that send messages over sockets and pipes and copy files: mostly kernel code, by the arguments of stages.h. */
#include <fcntl.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stages.h"

#define PROCESSES 2
#define REQUESTS 2600
#define MESSAGE 4096
#define FILES 4

static char message[MESSAGE], received[MESSAGE];
static int sockets[2], ends[2], files[FILES];
static uint64_t sink;

static void moved(int from, int to) {
    if (write(to, message, MESSAGE) != MESSAGE || read(from, received, MESSAGE) != MESSAGE) exit(3);
}

STAGE void send_messages(int part) {
    for (int at = 0, end = items(20, part); at < end; at++) moved(sockets[0], sockets[1]);
}

STAGE void fill_pipe(int part) {
    for (int at = 0, end = items(20, part); at < end; at++) moved(ends[0], ends[1]);
}

STAGE uint32_t checksum_byte(uint32_t sum, unsigned char byte) { return (sum ^ byte) * 16777619U; }

STAGE void checksum(int part) {
    uint32_t sum = 2166136261U;
    for (int at = 0, end = items(12000, part); at < end; at++) sum = checksum_byte(sum, (unsigned char)message[at % MESSAGE]);
    sink += sum;
    message[sum % MESSAGE] = (char)sum;
}

STAGE void write_files(int part) {
    for (int at = 0, end = items(10, part); at < end; at++)
        if (pwrite(files[at % FILES], message, MESSAGE, at * MESSAGE) != MESSAGE) exit(3);
}

STAGE void read_files(int part) {
    for (int at = 0, end = items(20, part); at < end; at++)
        if (pread(files[at % FILES], received, MESSAGE, at % 10 * MESSAGE) < 0) exit(3);
}

STAGE void stat_files(int part) {
    struct stat status;
    for (int at = 0, end = items(40, part); at < end; at++) sink += (uint64_t)stat("/proc/self/exe", &status);
}

STAGE void encode(int part) {
    for (int at = 0, end = items(8000, part); at < end; at++) received[at % MESSAGE] = "0123456789abcdef"[message[at % MESSAGE] & 15];
}

static const struct stage stages[] = {{"send_messages", send_messages}, {"fill_pipe", fill_pipe}, {"checksum", checksum},
                                     {"write_files", write_files},     {"read_files", read_files}, {"stat_files", stat_files},
                                     {"encode", encode}};
enum { STAGES = sizeof stages / sizeof *stages };

int main(int argc, char **argv) {
    int requests = read_arguments(argc, argv, stages, STAGES, REQUESTS);
    if (!requests) return 2;
    for (int process = 1; process < PROCESSES && fork(); process++) {}
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) || pipe(ends)) return 3;
    for (int at = 0; at < FILES; at++) {
        char path[] = "/tmp/messagesXXXXXX";
        files[at] = mkstemp(path);
        unlink(path);
        if (write(files[at], message, MESSAGE) != MESSAGE) return 3;
    }
    serve(stages, STAGES, requests);
    while (wait(NULL) > 0) {}
    printf("%d requests, checksum %llu\n", requests, (unsigned long long)sink);
    return 0;
}
