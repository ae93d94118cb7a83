#if Explore
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A reference with a separate value for each thread.
package final class ExploredThreadSlot: Sendable {
    private let key: pthread_key_t

    package init() {
        var key = pthread_key_t()
        let failure = pthread_key_create(&key) { pointer in
            if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
        }
        precondition(failure == 0, "Explorer: the process has no thread-local slot left (errno \(failure))")
        self.key = key
    }

    deinit { pthread_key_delete(key) }

    /// In an execution, the value of the explored thread, which is released with it.
    package var value: AnyObject? {
        get {
            if let thread = ExploredThread.current { return thread.slots[key] }
            return pthread_getspecific(key).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
        }
        set {
            if let thread = ExploredThread.current {
                let former = thread.slots[key]
                thread.slots[key] = newValue
                withExtendedLifetime(former) {}
                return
            }
            let former = pthread_getspecific(key)
            pthread_setspecific(key, newValue.map { Unmanaged.passRetained($0).toOpaque() })
            if let former { Unmanaged<AnyObject>.fromOpaque(former).release() }
        }
    }
}
#endif
