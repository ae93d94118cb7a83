extension SignalProducer {
    /// Logs the events, and the beginning and end of each start.
    ///
    /// Like ``on(starting:started:event:next:error:completed:interrupted:terminated:disposed:)`` with closures that
    /// print.
    ///
    /// ```swift
    /// request.named("request").logEvents(events: [.starting, .error]).start()
    /// // prints [request] STARTING (…)
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
        identifier: String = "", events: Set<LoggingEvent.SignalProducer> = LoggingEvent.SignalProducer.allEvents,
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> SignalProducer {
        log("logEvents", events, EventLog(identifier, logName, fileName, functionName, lineNumber, logger))
    }

    /// Logs each value: see ``logEvents(identifier:events:fileName:functionName:lineNumber:logger:)``.
    @_alwaysEmitIntoClient
    public func logNext(
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> SignalProducer {
        log("logNext", [.next], EventLog("", logName, fileName, functionName, lineNumber, logger))
    }

    /// Logs the error: see ``logEvents(identifier:events:fileName:functionName:lineNumber:logger:)``.
    @_alwaysEmitIntoClient
    public func logError(
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> SignalProducer {
        log("logError", [.error], EventLog("", logName, fileName, functionName, lineNumber, logger))
    }

    /// Logs the completion: see ``logEvents(identifier:events:fileName:functionName:lineNumber:logger:)``.
    @_alwaysEmitIntoClient
    public func logCompleted(
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> SignalProducer {
        log("logCompleted", [.completed], EventLog("", logName, fileName, functionName, lineNumber, logger))
    }

    /// Logs the interruption: see ``logEvents(identifier:events:fileName:functionName:lineNumber:logger:)``.
    @_alwaysEmitIntoClient
    public func logInterrupted(
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> SignalProducer {
        log("logInterrupted", [.interrupted], EventLog("", logName, fileName, functionName, lineNumber, logger))
    }

    /// Logs every event: see ``logEvents(identifier:events:fileName:functionName:lineNumber:logger:)``.
    @_alwaysEmitIntoClient
    public func logAll(
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping EventLogger = printEvent
    ) -> SignalProducer {
        log(
            "logAll", [.next, .error, .completed, .interrupted],
            EventLog("", logName, fileName, functionName, lineNumber, logger))
    }

    @_alwaysEmitIntoClient
    var logName: @Sendable () -> String {
        { [streamName] in streamName.description }
    }

    @_alwaysEmitIntoClient
    func log(_ name: StaticString, _ events: Set<LoggingEvent.SignalProducer>, _ log: EventLog) -> SignalProducer {
        tapped(name, by: LogTap(log, events), nil)
    }
}
