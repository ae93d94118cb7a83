#if DEBUG
/// More levels than a stack of 512 KiB has room for, as a frame has at least 16 bytes.
package let manyLevels = 50_000
#else
/// A million levels: what contract 10 promises.
package let manyLevels = 1_000_000
#endif
