import ColdProducers
public import Foundation
public import HotSignals

extension EventHistory
where Value: Encodable, Failure: Encodable, Instant: InstantProtocol, Instant.Duration == Duration {
    /// Writes the last events to a file, as a recording that a test can replay.
    ///
    /// ```swift
    /// let (orders, input) = Signal<String, Never>.pipe()
    /// let history = orders.recordEvents(last: 100)
    /// input.sendNext("tea")
    /// // Something has gone wrong. What led to it?
    /// try history.write(to: file, named: "orders")
    /// let replayed = SignalProducer.replaying(contentsOf: file, as: String.self)
    /// print(try replayed.blockingFirst() ?? "")  // prints tea
    /// ```
    ///
    /// Use a history as a flight recorder: it is always on, encodes nothing, and is written after the failure that it
    /// should explain. An ``EventRecorder`` records everything from the moment at which it is switched on.
    ///
    /// Times count from the oldest stored event. If older events are no longer stored, the recording begins in the
    /// middle of the stream. The history of a producer has the events of all starts. After a terminal event, the next
    /// stream of the recording begins. The events of simultaneous starts cannot be told apart: give each start its own
    /// history.
    ///
    /// Blocks until the file has been written and closed. Only its owner can read it.
    ///
    /// - Parameters:
    ///   - file: Where to write. It must not exist, but its folder must.
    ///   - name: The name of the stream in the recording.
    /// - Throws: ``RecordingError/file(_:)``. If a value cannot be encoded, its line says so.
    /// - SeeAlso: ``EventRecorder``
    public func write(to file: URL, named name: String = "history") throws(RecordingError) {
        FileHandle.checkURL(file, "write(to:)")
        let entries = entries
        do throws(SystemError) {
            let descriptor = try openFile(file, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            defer { close(descriptor) }
            var lines = Data(RecordingFormat.header(began: Date()).utf8)
            var (time, stream, isInStream) = (0, -1, false)
            for entry in entries {
                if !isInStream {
                    stream += 1
                    lines.append(contentsOf: RecordingFormat.stream(stream, named: name).utf8)
                }
                isInStream = !entry.event.isTerminating
                // Events of several starts can be stored in another order than they have found out their times.
                time = max(time, entries[0].instant.duration(to: entry.instant).nanoseconds)
                lines.append(contentsOf: RecordingFormat.prefix(time: time, stream: stream).utf8)
                lines.append(RecordingFormat.content(of: entry.event))
                if lines.count >= 65_536 {
                    try writeFile(descriptor, lines)
                    lines.removeAll(keepingCapacity: true)
                }
            }
            lines.append(contentsOf: RecordingFormat.footer(time: time, "stopped").utf8)
            try writeFile(descriptor, lines)
        } catch {
            throw .file(error)
        }
    }
}
