import Foundation

/// The number of file descriptors that the process can open.
enum Descriptors {
    /// Raises the limit to its maximum, because each connection needs a descriptor, and returns it.
    static func raiseLimit() -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1_024 }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
