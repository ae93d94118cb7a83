extension SignalProducer where Value == Int, Failure == SystemError {
    /// A producer that reports when a descriptor can be read.
    ///
    /// ```swift
    /// let bytes = SignalProducer.readable(fileDescriptor: socket)
    ///     .map { count in readBytes(socket, atMost: max(count, 1)) }
    /// ```
    ///
    /// A value means that a read does not block. It is the minimum number of bytes that can be read, or 0 if the system
    /// does not report it, as for a listening socket. Once the other end has been closed, or has failed, and everything
    /// has been read, a last 0 is sent, for which a read reports the end or the error, and the result completes.
    ///
    /// As long as there is something to read, values are sent repeatedly. Therefore **read in the observer**, before it
    /// returns. If you read later or elsewhere, values arrive in a busy loop until then. To avoid that, request one
    /// value at a time with `take(first: 1)`, and start again after reading.
    ///
    /// Fails at the start, with the system call that failed, if the descriptor is not open for reading, if it is a file
    /// or a directory, which can be read at any time, or if the process has no descriptor left.
    ///
    /// **Disposal**: each start watches a copy of the descriptor, so you can close the original at any time, even
    /// before you dispose of the start. As with any copy, the other end is notified only when all copies are closed.
    /// The start closes its copy on its queue, immediately after termination or disposal.
    ///
    /// **Threads**: values are sent on the start's own queue. Any number of starts can watch one descriptor, in both
    /// directions.
    ///
    /// - Parameter fileDescriptor: A pipe, a socket, a terminal, or any other descriptor that `poll` can wait for.
    public static func readable(fileDescriptor: Int32) -> SignalProducer {
        SignalProducer(StreamName("readable(fileDescriptor: #)", argument: Int(fileDescriptor))) { start, sink in
            DescriptorWatch.begin(.reading, fileDescriptor, start, sink) { $0 }
        }
    }
}

extension SignalProducer where Value == Void, Failure == SystemError {
    /// A producer that reports when a descriptor can be written.
    ///
    /// ```swift
    /// SignalProducer.writable(fileDescriptor: socket).take(first: 1).startWithCompleted { flush() }
    /// ```
    ///
    /// A value means that a write of at least one byte does not block. As soon as the other end is closed, or has
    /// failed, a last value is sent, for which a write reports the error, and the result completes.
    ///
    /// As long as there is room, values are sent repeatedly. Therefore **write in the observer** until there is no
    /// room, or request one value at a time with `take(first: 1)` when there is something to write.
    ///
    /// For failure, disposal and threads see ``SignalProducer/readable(fileDescriptor:)``.
    ///
    /// - Parameter fileDescriptor: A pipe, a socket, a terminal, or any other descriptor that `poll` can wait for.
    public static func writable(fileDescriptor: Int32) -> SignalProducer {
        SignalProducer(StreamName("writable(fileDescriptor: #)", argument: Int(fileDescriptor))) { start, sink in
            DescriptorWatch.begin(.writing, fileDescriptor, start, sink) { _ in () }
        }
    }
}
