#if Explore
import Testing

/// All explorations, run serially because only one may run in a process at a time.
@Suite("Explorations", .serialized)
enum AllExplorations {}
#else
// Without the trait `Explore` there is nothing to test: `swift test --traits Explore --filter ExplorerTests`.
#endif
