#if !Explore
/// Lets two threads that each write one word and then read the other's not miss each other, at the expense of one of them.
///
/// As a rule both need a sequentially consistent write, which on x86-64 costs as much as an atomic exchange. With this fence
/// the thread that does it often writes by ``AtomicWord/storeAhead(_:)``, which costs a plain store, and the thread that
/// does it seldom calls ``issue()`` between its write and its read:
///
/// | often                      | seldom                       |
/// |----------------------------|------------------------------|
/// | `presence.storeAhead(0)`   | `notes.setInOrder(note)`     |
/// | `notes.loadInOrder()`      | `AsymmetricFence.issue()`    |
/// |                            | `presence.loadInOrder()`     |
///
/// At least one of them sees what the other wrote: `issue` returns after every thread of the process has passed a full
/// memory barrier. If the read on the left was done before that barrier, so was the write, and the right side sees it.
/// Otherwise the read sees the note.
///
/// The fence is needed on x86-64 only: elsewhere `storeAhead` is sequentially consistent, as that costs no more than any
/// store that publishes. There Linux has it, `membarrier(2)`, from 4.14 on; a sandbox may forbid it. Without it
/// ``isAvailable`` is false, and the left side has to write by `exchangeInOrder(_:)`.
@usableFromInline
package enum AsymmetricFence {
    /// Whether ``issue()`` does what it should.
    ///
    /// Registers the process with the kernel at the first call, which can take some 10 ms in a process of many threads.
    @usableFromInline package static let isAvailable = register()

    #if arch(x86_64) && os(Linux)
    private static let privateExpedited = 1 << 3
    private static let registerPrivateExpedited = 1 << 4

    private static func register() -> Bool { membarrier(registerPrivateExpedited) == 0 }

    /// Returns after every thread of the process has passed a full memory barrier. Takes a microsecond or two.
    package static func issue() {
        // A process that has registered cannot fail.
        require(
            membarrier(privateExpedited) == 0, "membarrier(2) failed although the process has registered for it",
            file: #fileID, line: #line)
    }

    // Not for other modules: a compiler that optimizes across modules crashes when it reads the declaration of `syscall`.
    @inline(never) @_semantics("optimize.no.crossmodule")
    private static func membarrier(_ command: Int) -> Int { systemCall(324, command, 0, 0) }
    #elseif arch(x86_64)
    private static func register() -> Bool { false }

    /// Not available.
    package static func issue() { preconditionFailure("AsymmetricFence.issue() without isAvailable") }
    #else
    private static func register() -> Bool { true }

    /// Nothing is to be waited for: the other side's store is in order by itself.
    package static func issue() {}
    #endif
}

#if arch(x86_64) && os(Linux)
// The C library's function, which the compiler does not import for its variable arguments. They are passed as any others.
@_silgen_name("syscall")
private func systemCall(_ number: Int, _ command: Int, _ flags: Int, _ processor: Int) -> Int
#endif
#endif
