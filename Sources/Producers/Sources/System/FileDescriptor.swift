extension SignalProducer where Value == Int, Failure == SystemError {
    /// A producer that says when a descriptor can be read.
    ///
    ///     let bytes = SignalProducer.readable(fileDescriptor: socket)
    ///         .map { count in readBytes(socket, atMost: max(count, 1)) }
    ///
    /// A value means that a call to read does not block: it is the number of bytes that can be read at least, or 0 where the system
    /// does not tell, as for a socket that listens. Once the other end has been closed, or has failed, and everything has been
    /// read, one last 0 comes, with which a call to read tells the end or the error, and the result completes.
    ///
    /// As long as there is something to read, values come again and again. So **read in the observer**, before it returns: if the
    /// reading is done later or elsewhere, values come in a busy loop meanwhile. For that ask for one value at a time, with
    /// `take(first: 1)`, and start again when it has been read.
    ///
    /// Fails at the start, with the call that failed, if the descriptor is not open for reading, is a file or a directory, which
    /// can be read at any time, or if the process has no descriptor left.
    ///
    /// **Disposal**: each start watches a copy of the descriptor, so that this one may be closed at any time, also before the start is
    /// disposed of. As with any copy, the other end is told only when all copies are closed; this one's is, on its queue, right
    /// after the end or the disposal.
    ///
    /// **Threads**: values come on a queue of the start's own. Any number of starts may watch one descriptor, in both directions.
    ///
    /// - Parameter fileDescriptor: A pipe, a socket, a terminal, or anything else that `poll` can wait for.
    public static func readable(fileDescriptor: Int32) -> SignalProducer {
        SignalProducer(StreamName("readable(fileDescriptor: #)", argument: Int(fileDescriptor))) { run, sink in
            DescriptorWatch.begin(.reading, fileDescriptor, run, sink) { $0 }
        }
    }
}

extension SignalProducer where Value == Void, Failure == SystemError {
    /// A producer that says when a descriptor can be written.
    ///
    ///     SignalProducer.writable(fileDescriptor: socket).take(first: 1).startWithCompleted { flush() }
    ///
    /// A value means that a call to write does not block, for one byte at least. As soon as the other end is closed, or has failed,
    /// one last value comes, with which a call to write tells the error, and the result completes.
    ///
    /// As long as there is room, values come again and again. So **write in the observer** until there is none, or ask for
    /// one value at a time, as above, when there is something to write.
    ///
    /// Failure, disposal and threads are as with ``SignalProducer/readable(fileDescriptor:)``.
    ///
    /// - Parameter fileDescriptor: A pipe, a socket, a terminal, or anything else that `poll` can wait for.
    public static func writable(fileDescriptor: Int32) -> SignalProducer {
        SignalProducer(StreamName("writable(fileDescriptor: #)", argument: Int(fileDescriptor))) { run, sink in
            DescriptorWatch.begin(.writing, fileDescriptor, run, sink) { _ in () }
        }
    }
}
