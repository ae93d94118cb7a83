#if DEBUG
/// More levels than fit into a stack of 512 KiB, as a frame takes at least 16 bytes.
package let manyLevels = 50_000
#else
/// A million levels, as contract 10 guarantees.
package let manyLevels = 1_000_000
#endif
