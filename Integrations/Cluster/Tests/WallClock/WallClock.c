#define _GNU_SOURCE
#include "WallClock.h"

#ifdef __linux__
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static atomic_long seconds_back;

void wall_clock_set_back(long seconds) { atomic_fetch_add(&seconds_back, seconds); }

int clock_gettime(clockid_t clock, struct timespec *time) {
    long outcome = syscall(SYS_clock_gettime, clock, time);
    if (outcome == 0 && clock == CLOCK_REALTIME) time->tv_sec -= atomic_load(&seconds_back);
    return (int)outcome;
}

int gettimeofday(struct timeval *time, void *zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

// The kernel waits until the wall clock shows a time. If it is set back meanwhile, the wait takes longer.
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end) {
    static int (*_Atomic next)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    if (!next) next = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    for (;;) {
        struct timespec now, slice;
        clock_gettime(CLOCK_REALTIME, &now);
        if (now.tv_sec > end->tv_sec || (now.tv_sec == end->tv_sec && now.tv_nsec >= end->tv_nsec)) return ETIMEDOUT;
        long rest = (end->tv_sec - now.tv_sec) * 1000000000 + (end->tv_nsec - now.tv_nsec);
        syscall(SYS_clock_gettime, CLOCK_REALTIME, &slice);
        slice.tv_nsec += rest < 20000000 ? rest : 20000000;
        slice.tv_sec += slice.tv_nsec / 1000000000;
        slice.tv_nsec %= 1000000000;
        int outcome = next(condition, mutex, &slice);
        if (outcome != ETIMEDOUT) return outcome;
    }
}
#else
void wall_clock_set_back(long seconds) { (void)seconds; }
#endif
