#include "opaque.h"

__attribute__((noinline)) void *opaque_pointer(void *pointer) { return pointer; }
