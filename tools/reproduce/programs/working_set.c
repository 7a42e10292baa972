/*
 * Page cache that is used again before the kernel scans it twice: processes touch every page of a mapped file in turn, and the
 * threads of one further process fault in pages of another file, for which something must go.
 *
 *     load HOT COLD TOUCHERS THREADS READY [map]
 *
 * READY is made when all have touched the hot file once; the threads start when it is removed. With `map`
 * the process maps a page and unmaps it, again and again.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096, STACK = 64 << 10, FLUSHED = 128 * PAGE };

static volatile char *cold;
static long cold_pages;
static volatile int is_full;

static volatile char *map(const char *path, long *pages)
{
	struct stat file;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || fstat(fd, &file)) {
		perror(path);
		exit(1);
	}
	*pages = file.st_size / PAGE;
	char *start = mmap(NULL, file.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (start == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	close(fd);
	return start;
}

static void pass(volatile char *start, long pages, long first)
{
	for (long page = 0; page < pages; page++)
		(void)start[(first + page) % pages * PAGE];
}

static void touch(volatile char *hot, long pages, long first, int touched)
{
	char *own = mmap(NULL, FLUSHED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	/* The first pass allocates page tables, which count, too. */
	pass(hot, pages, first);
	if (write(touched, "x", 1) != 1)
		exit(1);
	for (;;) {
		pass(hot, pages, first);
		/*
		 * A page whose translation is cached can be read without the processor setting its accessed bit; a change of
		 * protection of so many pages drops all translations of this CPU.
		 */
		mprotect(own, FLUSHED, PROT_READ);
		mprotect(own, FLUSHED, PROT_READ | PROT_WRITE);
	}
}

static void *fault(void *seed)
{
	unsigned int state = (unsigned long)seed;

	while (!is_full)
		usleep(10000);
	for (;;)
		(void)cold[rand_r(&state) % cold_pages * PAGE];
	return NULL;
}

int main(int count, char **words)
{
	long hot_pages;
	pthread_attr_t small;
	pthread_t thread;
	int touched[2];
	char one;

	if (count < 6)
		return 2;
	volatile char *hot = map(words[1], &hot_pages);
	cold = map(words[2], &cold_pages);
	madvise((void *)cold, cold_pages * PAGE, MADV_RANDOM);
	pass(hot, hot_pages, 0);
	if (pipe(touched))
		return 1;
	for (int n = 0; n < atoi(words[3]); n++)
		if (!fork())
			touch(hot, hot_pages, hot_pages / atoi(words[3]) * n, touched[1]);
	for (int n = 0; n < atoi(words[3]); n++)
		if (read(touched[0], &one, 1) != 1)
			return 1;
	/* A thread that is made at the limit reclaims for its own stack. */
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK);
	for (long n = atoi(words[4]); n > 0; n--)
		pthread_create(&thread, &small, fault, (void *)n);
	close(open(words[5], O_CREAT | O_WRONLY, 0600));
	while (!access(words[5], F_OK))
		usleep(100000);
	is_full = 1;
	while (count > 6) {
		usleep(10000);
		munmap(mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), PAGE);
	}
	pause();
}
