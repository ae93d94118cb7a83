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
    @_alwaysEmitIntoClient
    public func logEvents(
        identifier: String = "", events: Set<LoggingEvent.Signal> = LoggingEvent.Signal.allEvents,
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> Signal {
        log("logEvents", events, EventLog(identifier, logName, fileName, functionName, lineNumber, logger))
    }

    /// Logs each value: see ``logEvents(identifier:events:fileName:functionName:lineNumber:logger:)``.
    @_alwaysEmitIntoClient
    public func logNext(
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> Signal {
        log("logNext", [.next], EventLog("", logName, fileName, functionName, lineNumber, logger))
    }

    /// Logs the error: see ``logEvents(identifier:events:fileName:functionName:lineNumber:logger:)``.
    @_alwaysEmitIntoClient
    public func logError(
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> Signal {
        log("logError", [.error], EventLog("", logName, fileName, functionName, lineNumber, logger))
    }

    /// Logs the completion: see ``logEvents(identifier:events:fileName:functionName:lineNumber:logger:)``.
    @_alwaysEmitIntoClient
    public func logCompleted(
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> Signal {
        log("logCompleted", [.completed], EventLog("", logName, fileName, functionName, lineNumber, logger))
    }

    /// Logs the interruption: see ``logEvents(identifier:events:fileName:functionName:lineNumber:logger:)``.
    @_alwaysEmitIntoClient
    public func logInterrupted(
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> Signal {
        log("logInterrupted", [.interrupted], EventLog("", logName, fileName, functionName, lineNumber, logger))
    }

    /// Logs every event: see ``logEvents(identifier:events:fileName:functionName:lineNumber:logger:)``.
    @_alwaysEmitIntoClient
    public func logAll(
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> Signal {
        log(
            "logAll", [.next, .error, .completed, .interrupted],
            EventLog("", logName, fileName, functionName, lineNumber, logger))
    }

    /// Returns the stream's name when called. Captures the core, not the handle, so logging keeps nothing alive.
    @_alwaysEmitIntoClient
    var logName: @Sendable () -> String {
        { [core] in StreamName.description(of: core) }
    }

    @_alwaysEmitIntoClient
    func log(_ name: StaticString, _ events: Set<LoggingEvent.Signal>, _ log: EventLog) -> Signal {
        let events = Set(events.compactMap { LoggingEvent.SignalProducer(rawValue: $0.rawValue) })
        return tapped(name, by: LogTap(log, events), watchesWaiting: false)
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
}

/// Writes a log line for each event of some kinds.
@usableFromInline
package struct LogTap: StreamTap {
    private let log: EventLog
    private let events: Set<LoggingEvent.SignalProducer>
    /// Looked up once, because values are the most frequent events.
    private let logsValues: Bool

    @usableFromInline
    package init(_ log: EventLog, _ events: Set<LoggingEvent.SignalProducer>) {
        self.log = log
        self.events = events
        logsValues = events.contains(.next)
    }

    private func write(_ kind: LoggingEvent.SignalProducer, _ text: @autoclosure () -> String) {
        if events.contains(kind) { log.write(text()) }
    }

    @usableFromInline
    package func run(_ work: () -> Void, in state: Void) {
        write(.starting, "STARTING")
        work()
        write(.started, "STARTED")
    }

    @usableFromInline
    package func event<Value, Failure>(_ event: Event<Value, Failure>, in state: Void) {
        switch event {
        case .next: if logsValues { log.write(event.description) }
        case .error: write(.error, event.description)
        case .completed: write(.completed, event.description)
        case .interrupted: write(.interrupted, event.description)
        }
        if event.isTerminating { write(.terminated, "TERMINATED") }
    }

    @usableFromInline
    package func end(_ state: Void) { write(.disposed, "DISPOSED") }
}
