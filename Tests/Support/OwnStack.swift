#if canImport(Glibc)
import Glibc

/// Measures the stack of the calling thread.
package struct OwnStack: Sendable {
    private let base: UInt
    package let size: Int

    /// Asks the C library. Its function for that is not visible from Swift.
    ///
    /// - Returns: `nil` if it has no such function.
    package init?() {
        typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt
        guard let function = dlsym(nil, "pthread_getattr_np") else { return nil }
        let getAttributes = unsafeBitCast(function, to: GetAttributes.self)
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        guard getAttributes(pthread_self(), attributes) == 0 else { return nil }
        defer { pthread_attr_destroy(attributes) }
        var address: UnsafeMutableRawPointer?
        var size = 0
        guard pthread_attr_getstack(attributes, &address, &size) == 0 else { return nil }
        base = UInt(bitPattern: address)
        self.size = size
    }

    /// Calls `body`, and returns how many bytes of the stack it has used, rounded to pages.
    package func use(by body: () -> Void) -> Int {
        // The pages below the frames of this function are given back, so that those that `body` uses can be told.
        let page = UInt(sysconf(CInt(_SC_PAGESIZE)))
        let unused = (currentFrame() - base) / page - 4
        let start = UnsafeMutableRawPointer(bitPattern: base)
        madvise(start, Int(unused * page), MADV_DONTNEED)
        body()
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(unused)) { isResident in
            guard mincore(start, Int(unused * page), isResident.baseAddress) == 0 else { return 0 }
            let firstUsed = isResident.firstIndex { $0 & 1 != 0 } ?? isResident.count
            return (isResident.count - firstUsed) * Int(page)
        }
    }

    /// The address of a variable of the caller's callee.
    @inline(never)
    private func currentFrame() -> UInt {
        var variable = 0
        return withUnsafeMutablePointer(to: &variable) { UInt(bitPattern: $0) }
    }
}
#endif
