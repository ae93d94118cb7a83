#if Explore
// The locks of `Lock.swift`, for exploration: acquiring a lock is a step, and a waiting thread does not run.
import InterleavingExplorer
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

@usableFromInline
package enum ThreadIdentity {
    @usableFromInline
    package static var current: UInt {
        if let identity = ExploredThread.identity { return identity }
        #if canImport(Darwin)
        return UInt(bitPattern: pthread_self())
        #else
        return UInt(pthread_self())
        #endif
    }

    /// In an exploration no thread has a name.
    package static var currentName: String { "" }

    /// In an exploration no thread runs `main`.
    package static var isMain: Bool { false }
}

@usableFromInline
package struct Locked<State>: @unchecked Sendable {
    // Sendable: the state is accessed only under the lock.
    private final class Storage {
        let lock = ExploredLock()
        var state: State

        init(_ state: State) { self.state = state }
    }

    private let storage: Storage

    @usableFromInline
    package init(_ initial: State) { storage = Storage(initial) }

    @usableFromInline
    package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        storage.lock.lock()
        defer { storage.lock.unlock() }
        return try body(&storage.state)
    }
}

package final class Waitable<State>: @unchecked Sendable {
    // Sendable: the state is accessed only under the lock.
    private let lock = ExploredLock()
    private var state: State

    package init(_ initial: State) { state = initial }

    package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&state)
    }

    package func withLock<Result>(waitingOn condition: Condition, _ body: (inout State) -> Result?) -> Result {
        lock.lock()
        defer { lock.unlock() }
        while true {
            if let result = body(&state) { return result }
            condition.condition.wait(lock)
        }
    }
}

@usableFromInline
package struct WordLock: ~Copyable, Sendable {
    private let mutex = ExploredLock()

    @usableFromInline
    package init() {}

    @usableFromInline
    package borrowing func lock() { mutex.lock() }

    @usableFromInline
    package borrowing func unlock() { mutex.unlock() }

    @_alwaysEmitIntoClient
    package borrowing func unlock<Value>(returning value: Value) -> Value {
        unlock()
        return value
    }
}

/// Where threads sleep.
struct ParkingSpot: Sendable {
    private let mutex = ExploredLock()
    private let condition = ExploredCondition()

    func lock() { mutex.lock() }

    func unlock() { mutex.unlock() }

    func sleep() { condition.wait(mutex) }

    func wakeAll() { condition.broadcast() }
}

package final class Condition: Sendable {
    fileprivate let condition = ExploredCondition()

    package init() {}

    package func signal() { condition.signal() }
}

/// One reference per thread and per execution, because executions reuse threads.
package final class ThreadLocal<Value: AnyObject>: Sendable {
    private let slot = ExploredThreadSlot()

    package init() {}

    package var value: Value? {
        get { slot.value as! Value? }
        set { slot.value = newValue }
    }
}

package final class ScopedThreadLocal: Sendable {
    private let slot = ExploredThreadSlot()

    package init() {}

    package var value: Unmanaged<AnyObject>? {
        get { slot.value.map { .passUnretained($0) } }
        set { slot.value = newValue?.takeUnretainedValue() }
    }
}
#endif
