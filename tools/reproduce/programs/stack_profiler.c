/*
 * A process with a sampling profiler in it: a timer interrupts each thread, and the thread walks its own stack by frame
 * pointers, asking mincore() of each frame whether there is memory. Other threads map memory, use it and unmap it.
 *
 *     load THREADS INTERVAL_MS WRITERS
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { PAGE = 4096, FRAMES = 32, CALLS = 12, STACK = 64 << 10, BLOCK = 16 << 20 };

static long interval_ms;

static void sample(int number, siginfo_t *info, void *context)
{
	uintptr_t frame = ((ucontext_t *)context)->uc_mcontext.gregs[REG_RBP];
	unsigned char resident;

	for (int n = 0; n < FRAMES; n++) {
		if (frame % sizeof(frame) || mincore((void *)(frame & -PAGE), PAGE, &resident))
			break;
		uintptr_t caller = *(uintptr_t *)frame;
		if (caller <= frame)
			break;
		frame = caller;
	}
}

static __attribute__((noinline)) void serve(int calls)
{
	struct timespec rest = {.tv_nsec = 50 * 1000 * 1000};

	if (calls)
		serve(calls - 1);
	else
		nanosleep(&rest, NULL);
	__asm__ volatile("");	/* no tail call, or there are no frames to walk */
}

static void *server(void *unused)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
	struct itimerspec every = {.it_interval = {interval_ms / 1000, interval_ms % 1000 * 1000000}};
	timer_t timer;

	event._sigev_un._tid = syscall(SYS_gettid);
	every.it_value = every.it_interval;
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &every, NULL)) {
		perror("timer");
		exit(1);
	}
	for (;;)
		serve(CALLS);
	return NULL;
}

static void *writer(void *unused)
{
	for (;;) {
		char *block = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (block == MAP_FAILED)
			continue;
		for (int at = 0; at < BLOCK; at += PAGE)
			block[at] = 1;
		munmap(block, BLOCK);
	}
	return NULL;
}

int main(int count, char **words)
{
	struct sigaction action = {.sa_sigaction = sample, .sa_flags = SA_SIGINFO | SA_RESTART};
	pthread_attr_t small;
	pthread_t thread;

	if (count != 4)
		return 2;
	interval_ms = atol(words[2]);
	sigaction(SIGUSR1, &action, NULL);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK);
	for (int n = 0; n < atoi(words[1]); n++)
		pthread_create(&thread, &small, server, NULL);
	for (int n = 0; n < atoi(words[3]); n++)
		pthread_create(&thread, &small, writer, NULL);
	pause();
}
