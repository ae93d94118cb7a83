// The common part of the programs in C++: what an observer does, and `main` for a table of workloads.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>

/// Where observers add up what they receive: a plain pointer, as in the workloads in Swift.
inline long *const total = new long(0);

/// What an observer does. Each library hides its type, so that the compiler cannot inline the call.
struct Add {
    long *total;
    void operator()(long value) const { *total += value; }
};

struct Workload {
    const char *name;
    /// The number of observers that receive each value.
    long observers;
    /// Sets the workload up. Returns a function that runs it a given number of times, with the values from 0.
    std::function<void(long)> (*prepare)();
};

/// Runs the workload named by the arguments. Fails if an observer has missed a value.
///
/// The process has a second thread, which sleeps: the C library's locks are cheaper in a process with a single thread.
template <std::size_t size>
int runWorkload(const Workload (&workloads)[size], int argumentCount, char **arguments) {
    for (const Workload &workload : workloads) {
        if (argumentCount == 2 && std::strcmp(arguments[1], "--list") == 0) std::puts(workload.name);
        if (argumentCount != 3 || std::strcmp(arguments[1], workload.name) != 0) continue;
        const long count = std::atol(arguments[2]);
        std::thread([] { for (;;) pause(); }).detach();
        workload.prepare()(count);
        const long expected = workload.observers * (count * (count - 1) / 2);
        if (*total == expected) return 0;
        std::fprintf(stderr, "%s: the sum is %ld instead of %ld\n", workload.name, *total, expected);
        return 1;
    }
    if (argumentCount == 2 && std::strcmp(arguments[1], "--list") == 0) return 0;
    std::fprintf(stderr, "usage: %s NAME COUNT | --list\n", arguments[0]);
    return 2;
}
