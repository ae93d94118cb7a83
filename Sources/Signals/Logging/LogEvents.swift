extension Signal {
    /// Logs events as they pass.
    ///
    /// Like ``on(event:next:error:completed:interrupted:terminated:disposed:)`` with closures that print.
    ///
    /// ```swift
    /// signal.named("username").skipRepeats().logEvents(events: [.next, .completed])
    /// // a line: [[username] -skipRepeats] NEXT joan (Login.swift:12, observe())
    /// ```
    ///
    /// - Parameters:
    ///   - identifier: The name of the stream in the log. By default, the name of the stream itself.
    ///   - events: The kinds of events to log.
    ///   - fileName: The file of the call.
    ///   - functionName: The function of the call.
    ///   - lineNumber: The line of the call.
    ///   - logger: Receives the log lines. Called before an event is sent downstream, on its sender's thread.
    @inlinable
    public func logEvents(
        identifier: String = "", events: Set<LoggingEvent.Signal> = LoggingEvent.Signal.allEvents,
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> Signal {
        log("logEvents", events, EventLog(identifier, logName, fileName, functionName, lineNumber, logger))
    }

    /// Logs each value: see ``logEvents(identifier:events:fileName:functionName:lineNumber:logger:)``.
    @inlinable
    public func logNext(
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> Signal {
        log("logNext", [.next], EventLog("", logName, fileName, functionName, lineNumber, logger))
    }

    /// Logs the error: see ``logEvents(identifier:events:fileName:functionName:lineNumber:logger:)``.
    @inlinable
    public func logError(
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> Signal {
        log("logError", [.error], EventLog("", logName, fileName, functionName, lineNumber, logger))
    }

    /// Logs the completion: see ``logEvents(identifier:events:fileName:functionName:lineNumber:logger:)``.
    @inlinable
    public func logCompleted(
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> Signal {
        log("logCompleted", [.completed], EventLog("", logName, fileName, functionName, lineNumber, logger))
    }

    /// Logs the interruption: see ``logEvents(identifier:events:fileName:functionName:lineNumber:logger:)``.
    @inlinable
    public func logInterrupted(
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> Signal {
        log("logInterrupted", [.interrupted], EventLog("", logName, fileName, functionName, lineNumber, logger))
    }

    /// Logs every event: see ``logEvents(identifier:events:fileName:functionName:lineNumber:logger:)``.
    @inlinable
    public func logAll(
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> Signal {
        log(
            "logAll", [.next, .error, .completed, .interrupted],
            EventLog("", logName, fileName, functionName, lineNumber, logger))
    }

    /// Returns the stream's name when called. Captures the core, not the handle, so logging keeps nothing alive.
    @inlinable
    var logName: @Sendable () -> String {
        { [core] in StreamName.description(of: core) }
    }

    @inlinable
    func log(_ name: StaticString, _ events: Set<LoggingEvent.Signal>, _ log: EventLog) -> Signal {
        on(name, effects: log.effects(for: events), disposed: log.effect(of: .disposed, "DISPOSED", in: events))
    }
}

/// What all log lines of one `logEvents` call have in common.
@usableFromInline
package struct EventLog: Sendable {
    private let identifier: @Sendable () -> String
    private let fileName: String
    private let functionName: String
    private let lineNumber: Int
    private let logger: EventLogger

    /// - Parameter name: Called for each line if there is no identifier, because the stream may be named later.
    @usableFromInline
    package init(
        _ identifier: String, _ name: @escaping @Sendable () -> String, _ fileName: String, _ functionName: String,
        _ lineNumber: Int, _ logger: @escaping EventLogger
    ) {
        if identifier.isEmpty { self.identifier = name } else { self.identifier = { identifier } }
        self.fileName = fileName
        self.functionName = functionName
        self.lineNumber = lineNumber
        self.logger = logger
    }

    @usableFromInline
    package func write(_ event: String) { logger(identifier(), event, fileName, functionName, lineNumber) }

    /// Returns a closure that logs an event without a payload, or `nil` if the event is not in `events`.
    @usableFromInline
    package func effect(
        of event: LoggingEvent.Signal, _ text: String, in events: Set<LoggingEvent.Signal>
    ) -> (@Sendable () -> Void)? {
        guard events.contains(event) else { return nil }
        return { write(text) }
    }

    /// Returns side effects that log these events.
    @inlinable
    package func effects<Value, Failure>(for events: Set<LoggingEvent.Signal>) -> SideEffects<Value, Failure> {
        let next: @Sendable (Value) -> Void = { write(Event<Value, Failure>.next($0).description) }
        let error: @Sendable (Failure) -> Void = { write(Event<Value, Failure>.error($0).description) }
        return SideEffects(
            event: nil,
            next: events.contains(.next) ? next : nil,
            end: EndEffects(
                error: events.contains(.error) ? error : nil,
                completed: effect(of: .completed, "COMPLETED", in: events),
                interrupted: effect(of: .interrupted, "INTERRUPTED", in: events),
                terminated: effect(of: .terminated, "TERMINATED", in: events)))
    }
}
