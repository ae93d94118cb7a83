#if !Explore
// The only file of this module that imports the platform's C library: mutexes, conditions, thread identity, and
// thread-local storage. (`AsymmetricFence.swift` makes a system call.)
#if canImport(Darwin)
public import Darwin
#elseif canImport(Musl)
public import Musl
#elseif canImport(Glibc)
public import Glibc
#endif

/// The calling thread, as a word whose three lowest bits and whose highest one are clear, so that a gate can store
/// flags in them.
@usableFromInline
package enum ThreadIdentity {
    @inlinable @inline(__always)
    package static var current: UInt {
        #if canImport(Darwin)
        UInt(bitPattern: pthread_self())
        #else
        // Glibc and Musl identify a thread by the address of its control block, which Musl aligns to 8 bytes.
        UInt(pthread_self())
        #endif
    }

    /// The name of the calling thread. Empty if it has none.
    package static var currentName: String {
        // The longest names have 15 bytes on Linux, and 63 on Darwin.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { buffer in
            #if canImport(Darwin)
            // The buffer is not empty, so it has an address.
            pthread_getname_np(pthread_self(), buffer.baseAddress!, buffer.count)
            let length = buffer.firstIndex(of: 0) ?? 0
            #else
            // (`pthread_getname_np` is not visible to Swift.)
            let file = open("/proc/thread-self/comm", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return "" }
            let count = read(file, buffer.baseAddress, buffer.count)
            close(file)
            // The name ends with a line feed.
            let length = max(0, count - 1)
            #endif
            return String(decoding: buffer[..<length], as: UTF8.self)
        }
    }

    /// Whether the calling thread is the main thread.
    package static var isMain: Bool {
        #if canImport(Darwin)
        pthread_main_np() != 0
        #else
        // The kernel gives the first thread of a process the number of the process. The link reads `PID/task/TID`.
        // (`gettid` is not visible to Swift.)
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            // The buffer is not empty, so it has an address.
            let length = readlink("/proc/thread-self", buffer.baseAddress!, buffer.count)
            guard length > 0 else { return false }
            let numbers = buffer[..<length].split(separator: CChar(UInt8(ascii: "/")))
            return numbers.count == 3 && numbers[0].elementsEqual(numbers[2])
        }
        #endif
    }
}

/// A state and the lock that guards it, in one allocation.
///
/// Uses ``WordLock`` instead of `Synchronization.Mutex`, which is slower here, and for which the thread sanitizer
/// reports false races. The body of `withLock` must not run user code or release a user's value.
@frozen @usableFromInline
package struct Locked<State>: @unchecked Sendable {
    // Sendable: the state is accessed only under the lock.
    @usableFromInline let storage: LockedStorage<State>

    @inlinable
    package init(_ initial: State) { storage = LockedStorage(initial) }

    @inlinable
    package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        storage.lock.lock()
        defer { storage.lock.unlock() }
        return try body(&storage.state)
    }
}

/// The state and the lock of a ``Locked``.
@_fixed_layout @usableFromInline
final class LockedStorage<State> {
    @usableFromInline let lock = WordLock()
    @exclusivity(unchecked) @usableFromInline var state: State

    @inlinable
    init(_ initial: State) { state = initial }
}

/// A state that threads can wait for, and the mutex that guards it. The bodies must not run user code.
package final class Waitable<State>: @unchecked Sendable {
    // Sendable: the state is accessed only under the mutex.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    @exclusivity(unchecked) private var state: State

    package init(_ initial: State) {
        state = initial
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Runs `body` under the lock until it returns a result. After each `nil` it sleeps on `condition` with the lock
    /// released. Each run sees the current state.
    package func withLock<Result>(waitingOn condition: Condition, _ body: (inout State) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            pthread_cond_wait(condition.storage, mutex)
        }
    }
}

/// A lock in one word, for an object that stores the guarded state in its own fields.
@usableFromInline package typealias WordLock = WordMutex

/// A mutex and a condition variable.
struct ParkingSpot: @unchecked Sendable {
    // Sendable: a mutex and a condition variable are made for use by several threads.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init() {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition.initialize(to: pthread_cond_t())
        pthread_cond_init(condition, nil)
    }

    func lock() { pthread_mutex_lock(mutex) }

    func unlock() { pthread_mutex_unlock(mutex) }

    /// Releases the lock, waits for ``wakeAll()`` (or wakes spuriously), and acquires the lock again.
    func sleep() { pthread_cond_wait(condition, mutex) }

    func wakeAll() { pthread_cond_broadcast(condition) }
}

/// A condition variable for use with a ``Waitable``.
package final class Condition: @unchecked Sendable {
    // Sendable: a condition variable is made for use by several threads.
    fileprivate let storage = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        storage.initialize(to: pthread_cond_t())
        pthread_cond_init(storage, nil)
    }

    deinit {
        pthread_cond_destroy(storage)
        storage.deallocate()
    }

    package func signal() { pthread_cond_signal(storage) }
}

/// One reference per thread.
package final class ThreadLocal<Value: AnyObject>: Sendable {
    private let key: pthread_key_t

    package init() {
        var key = pthread_key_t()
        let failure = pthread_key_create(&key) { pointer in
            #if canImport(Darwin)
            Unmanaged<AnyObject>.fromOpaque(pointer).release()
            #else
            // The C library calls this only for a slot that is not null.
            if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
            #endif
        }
        precondition(failure == 0, "ThreadLocal: the process has no thread-local slot left (errno \(failure))")
        self.key = key
    }

    deinit { pthread_key_delete(key) }

    package var value: Value? {
        get { pthread_getspecific(key).map { Unmanaged<Value>.fromOpaque($0).takeUnretainedValue() } }
        set {
            let former = pthread_getspecific(key)
            pthread_setspecific(key, newValue.map { Unmanaged.passRetained($0).toOpaque() })
            if let former { Unmanaged<Value>.fromOpaque(former).release() }
        }
    }
}

/// One reference per thread, which the slot does not retain. For what is set and restored in the same scope.
package final class ScopedThreadLocal: Sendable {
    private let key: pthread_key_t

    package init() {
        var key = pthread_key_t()
        let failure = pthread_key_create(&key, nil)
        precondition(failure == 0, "ScopedThreadLocal: the process has no thread-local slot left (errno \(failure))")
        self.key = key
    }

    deinit { pthread_key_delete(key) }

    package var value: Unmanaged<AnyObject>? {
        get { pthread_getspecific(key).map { .fromOpaque($0) } }
        set { pthread_setspecific(key, newValue?.toOpaque()) }
    }
}
#endif

/// One flag per thread, initially clear.
package struct ThreadFlag: Sendable {
    private let slot = ScopedThreadLocal()

    package init() {}

    /// Whether the flag of the calling thread is set.
    package var isSet: Bool { slot.value != nil }

    /// Sets or clears the flag of the calling thread.
    package func set(_ isSet: Bool) { slot.value = isSet ? .passUnretained(slot) : nil }
}
