#pragma once

/// Returns `pointer`. Being C in another file, it is a wall to the Swift optimiser: what comes out is unknown to it.
void *_Nonnull opaque_pointer(void *_Nonnull pointer);
