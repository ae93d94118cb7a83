#if !Explore
/// Ensures that two threads that each write one word and then read the other's do not miss each other, at the expense
/// of one of them.
///
/// Usually both threads need a sequentially consistent write, which on x86-64 costs as much as an atomic exchange. With
/// this fence, the thread on the frequent path writes with ``AtomicWord/storeAhead(_:)``, which costs a plain store.
/// The thread on the rare path calls ``issue()`` between its write and its read:
///
/// | frequent                 | rare                      |
/// |--------------------------|---------------------------|
/// | `presence.storeAhead(0)` | `notes.setInOrder(note)`  |
/// | `notes.loadInOrder()`    | `AsymmetricFence.issue()` |
/// |                          | `presence.loadInOrder()`  |
///
/// At least one of them sees what the other wrote: `issue` returns after every thread of the process has passed a full
/// memory barrier. If the read on the left came before that barrier, so did the write, and the right side sees it.
/// Otherwise the read sees the note.
///
/// The fence is needed on x86-64 only. Elsewhere `storeAhead` is sequentially consistent, because that costs no more
/// than any publishing store. On x86-64, Linux provides the fence as `membarrier(2)` from 4.14 on, but a sandbox may
/// forbid it. Without it ``isAvailable`` is false, and the left side must write with `exchangeInOrder(_:)`.
@usableFromInline
package enum AsymmetricFence {
    /// Whether ``issue()`` works.
    ///
    /// The first call registers the process with the kernel, which can take about 10 ms in a process with many threads.
    @usableFromInline package static let isAvailable = register()

    #if arch(x86_64) && os(Linux)
    private static let privateExpedited = 1 << 3
    private static let registerPrivateExpedited = 1 << 4

    private static func register() -> Bool { membarrier(registerPrivateExpedited) == 0 }

    /// Returns after every thread of the process has passed a full memory barrier. Takes one or two microseconds.
    package static func issue() {
        // The call cannot fail in a process that has registered.
        require(membarrier(privateExpedited) == 0, "membarrier(2) failed although the process has registered for it")
    }

    // Hidden from other modules: with cross-module optimization the compiler crashes when it reads the declaration of
    // `syscall`.
    @inline(never) @_semantics("optimize.no.crossmodule")
    private static func membarrier(_ command: Int) -> Int { systemCall(324, command, 0, 0) }
    #elseif arch(x86_64)
    private static func register() -> Bool { false }

    /// Not available.
    package static func issue() { preconditionFailure("AsymmetricFence.issue() without isAvailable") }
    #else
    private static func register() -> Bool { true }

    /// Does nothing: the store on the other side is sequentially consistent.
    package static func issue() {}
    #endif
}

#if arch(x86_64) && os(Linux)
// The C library's function. The compiler does not import it because it is variadic. Its arguments are passed like any
// others.
@_silgen_name("syscall")
private func systemCall(_ number: Int, _ command: Int, _ flags: Int, _ processor: Int) -> Int
#endif
#endif
