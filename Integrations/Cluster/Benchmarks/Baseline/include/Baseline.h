#ifndef BASELINE_H
#define BASELINE_H
#include <stdint.h>

// What the C client alone needs for the work that is measured. Each function ends the process if it fails.

/// Publishes `count` messages of `size` bytes over one connection, and receives them over another. Returns nanoseconds.
int64_t baseline_round(const char *address, int count, int size);

/// Publishes `count` messages of the given bytes. Pauses for a millisecond after each `burst` of them, if it is not 0.
void baseline_publish(const char *address, const char *subject, int count, const void *bytes, int size, int burst);

/// As above, with envelopes that count: the sequence is written in little-endian order at the offset.
void baseline_publish_numbered(
    const char *address, const char *subject, int count, void *bytes, int size, int offset, int burst);

/// Receives `count` messages, and returns. Prints "ready" once the server knows of the subscription.
void baseline_receive(const char *address, const char *subject, int count);

/// Appends `count` messages of the given bytes to a stream, 256 at a time without waiting.
void baseline_append(const char *address, const char *subject, int count, const void *bytes, int size);

#endif
