#if os(Linux)
// Calls of the C library that the compiler does not import: the first for its variable arguments, which are passed as any others,
// and the rest because their headers are not in the module. Numbers and pointers are passed as in C.

@_silgen_name("syscall")
private func systemCall(_ number: Int, _ first: Int, _ second: Int) -> Int

@_silgen_name("epoll_create1")
private func epollCreate(_ flags: Int32) -> Int32

@_silgen_name("epoll_ctl")
private func epollControl(
    _ set: Int32, _ operation: Int32, _ descriptor: Int32, _ event: UnsafeMutableRawPointer
) -> Int32

enum LinuxCalls {
    /// A descriptor that refers to a process, and can be read when that has ended. Negative on failure.
    static func openProcess(_ pid: Int32) -> Int32 {
        // The number of `pidfd_open` is the same on every machine.
        Int32(truncatingIfNeeded: systemCall(434, Int(pid), 0))
    }

    /// A set of descriptors, which can be read, as a descriptor itself, while one of them is ready. Negative on failure.
    static func makeSet() -> Int32 {
        // `EPOLL_CLOEXEC`.
        epollCreate(0o2000000)
    }

    /// Adds a descriptor to a set, to be watched for events of `poll`, whose errors and hang-ups are watched for anyway.
    static func add(_ descriptor: Int32, for events: Int16, to set: Int32) -> Int32 {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { event in
            // The events, and then what is told back with them, at one place or another. The events are those of `poll`.
            event.initializeMemory(as: UInt8.self, repeating: 0)
            event.storeBytes(of: UInt32(UInt16(bitPattern: events)), as: UInt32.self)
            // A buffer that is not empty has an address. 1 is `EPOLL_CTL_ADD`.
            return epollControl(set, 1, descriptor, event.baseAddress!)
        }
    }
}
#endif
