/// A machine that reports what it discards. It calls nobody: it returns the closure with what is discarded.
@frozen @usableFromInline
package struct ReportingMachine<Machine: TimedMachine>: TimedMachine {
    @frozen @usableFromInline
    package struct Dropped {
        @usableFromInline let values: Machine.Discarded
        @usableFromInline let onDropped: @Sendable (Machine.Discarded) -> Void

        @_alwaysEmitIntoClient
        init(values: Machine.Discarded, onDropped: @escaping @Sendable (Machine.Discarded) -> Void) {
            self.values = values
            self.onDropped = onDropped
        }
    }

    @usableFromInline var machine: Machine
    @usableFromInline let onDropped: @Sendable (Machine.Discarded) -> Void

    @_alwaysEmitIntoClient
    package init(_ machine: Machine, onDropped: @escaping @Sendable (Machine.Discarded) -> Void) {
        self.machine = machine
        self.onDropped = onDropped
    }

    @_alwaysEmitIntoClient
    func dropped(_ values: Machine.Discarded?) -> Dropped? { values.map { Dropped(values: $0, onDropped: onDropped) } }

    @_alwaysEmitIntoClient
    package var wakeUp: Duration? { machine.wakeUp }

    @_alwaysEmitIntoClient
    package mutating func receive(_ value: Machine.Value, at now: Duration) -> Dropped? {
        dropped(machine.receive(value, at: now))
    }

    @_alwaysEmitIntoClient
    package mutating func end(_ termination: Termination<Machine.Failure>, at now: Duration) -> Dropped? {
        dropped(machine.end(termination, at: now))
    }

    @_alwaysEmitIntoClient
    package mutating func nextEvent(at now: Duration) -> Event<Machine.Output, Machine.Failure>? {
        machine.nextEvent(at: now)
    }

    @_alwaysEmitIntoClient
    package mutating func hasDelivered(at now: Duration) { machine.hasDelivered(at: now) }

    @_alwaysEmitIntoClient
    package mutating func clear() -> Dropped? { dropped(machine.clear()) }

    @_alwaysEmitIntoClient
    package static func release(_ dropped: Dropped) { dropped.onDropped(dropped.values) }
}

extension ReportingMachine {
    /// A buffer that reports each value that it discards.
    @_alwaysEmitIntoClient
    package init<Value: Sendable, Failure: Error>(
        reporting buffer: BufferMachine<Value, Failure>, onDropped: @escaping @Sendable (Value) -> Void
    ) where Machine == BufferMachine<Value, Failure> {
        self.init(buffer) { values in
            var values = values
            while let value = values.popFirst() { onDropped(value) }
        }
    }
}
