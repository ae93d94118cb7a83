#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// A failed system call.
///
/// ```swift
/// SignalProducer.readable(fileDescriptor: -1).startWithError { print($0) }  // fcntl: Bad file descriptor
/// ```
public struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The value of `errno`, such as `EBADF`.
    public let code: Int32
    /// The name of the system call.
    public let operation: String

    /// Creates the error of a system call.
    ///
    /// - Parameters:
    ///   - code: A value of `errno`.
    ///   - operation: The name of the system call.
    public init(code: Int32, operation: String) {
        self.code = code
        self.operation = operation
    }

    /// Returns the error of the last failed system call on this thread.
    package static func last(_ operation: String) -> SystemError { SystemError(code: errno, operation: operation) }

    /// The name of the system call and the message of the C library.
    public var description: String { "\(operation): \(String(cString: strerror(code)))" }
}
