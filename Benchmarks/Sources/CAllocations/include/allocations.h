#pragma once

/// What malloc and its relatives have done since the program started.
struct allocations {
    /// Calls that returned a new block.
    long blocks;
    /// Blocks given back.
    long frees;
    /// Bytes of the blocks that are alive, as the heap accounts for them: what was asked for, rounded up, and the
    /// block's header. This is the figure that `mallinfo2` reports as `uordblks`.
    long heap_bytes;
    /// Bytes asked for, ever.
    long requested;
};

struct allocations allocations_now(void);
