// Linked into a program, these definitions stand in for glibc's, for every library in the process. They count and
// pass on. Relaxed atomics: threads allocate too, and the reader looks when they are quiet.
#include "allocations.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static atomic_long blocks, frees, heap_bytes, requested;

static long heap_size(void *block) { return (long)malloc_usable_size(block) + (long)sizeof(size_t); }

static void *added(void *block, size_t size) {
    if (block) {
        atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&requested, (long)size, memory_order_relaxed);
        atomic_fetch_add_explicit(&heap_bytes, heap_size(block), memory_order_relaxed);
    }
    return block;
}

static void removed(void *block) {
    if (block) {
        atomic_fetch_add_explicit(&frees, 1, memory_order_relaxed);
        atomic_fetch_sub_explicit(&heap_bytes, heap_size(block), memory_order_relaxed);
    }
}

void *malloc(size_t size) { return added(__libc_malloc(size), size); }

void *calloc(size_t count, size_t size) { return added(__libc_calloc(count, size), count * size); }

void *realloc(void *block, size_t size) {
    removed(block);
    return added(__libc_realloc(block, size), size);
}

void free(void *block) {
    removed(block);
    __libc_free(block);
}

void *memalign(size_t alignment, size_t size) { return added(__libc_memalign(alignment, size), size); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void *block = memalign(alignment, size);
    if (!block) return ENOMEM;
    *result = block;
    return 0;
}

struct allocations allocations_now(void) {
    return (struct allocations){
        .blocks = atomic_load_explicit(&blocks, memory_order_relaxed),
        .frees = atomic_load_explicit(&frees, memory_order_relaxed),
        .heap_bytes = atomic_load_explicit(&heap_bytes, memory_order_relaxed),
        .requested = atomic_load_explicit(&requested, memory_order_relaxed),
    };
}
