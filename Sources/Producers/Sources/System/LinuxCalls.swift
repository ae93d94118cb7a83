#if os(Linux)
// C library functions that the compiler does not import, because their headers are not in the module. Numbers and
// pointers are passed as in C.

@_silgen_name("epoll_create1")
private func epollCreate(_ flags: Int32) -> Int32

@_silgen_name("epoll_ctl")
private func epollControl(
    _ set: Int32, _ operation: Int32, _ descriptor: Int32, _ event: UnsafeMutableRawPointer
) -> Int32

enum LinuxCalls {
    /// Returns an epoll set: a descriptor that is readable while one of its members is ready. Negative on failure.
    static func makeSet() -> Int32 {
        // `EPOLL_CLOEXEC`.
        epollCreate(0o2000000)
    }

    /// Adds a descriptor to a set, and watches it for `poll` events. Errors and hang-ups are always watched for.
    static func add(_ descriptor: Int32, for events: Int16, to set: Int32) -> Int32 {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { event in
            // The events, then the user data, whose offset depends on the architecture. The events are those of `poll`.
            event.initializeMemory(as: UInt8.self, repeating: 0)
            event.storeBytes(of: UInt32(UInt16(bitPattern: events)), as: UInt32.self)
            // A nonempty buffer has an address. 1 is `EPOLL_CTL_ADD`.
            return epollControl(set, 1, descriptor, event.baseAddress!)
        }
    }
}
#endif
