import Foundation
import NIOConcurrencyHelpers
import NIOCore
public import ReactiveSignalsFoundation
import TopProtocol

extension TopServer {
    /// The recordings that viewers can begin and end.
    ///
    /// ```swift
    /// let recorder = EventRecorder()
    /// let orders = incoming.named("orders").recordEvents(to: recorder)
    /// try TopServer.open(recordings: .init(by: recorder, in: "/var/tmp/shop"))
    /// ```
    ///
    /// A recording has the streams to which the program has applied `recordEvents(to:)` with that recorder, and no
    /// others. It is a new file of the folder, which only the owner of the process can read. A test can replay it.
    public struct Recordings: Sendable {
        private let recorder: EventRecorder
        private let folder: String
        private let limit: EventRecorder.Limit
        /// The file of the last recording that a viewer has begun.
        private let file = NIOLockedValueBox("")

        /// - Parameters:
        ///   - recorder: The recorder of the streams.
        ///   - folder: The path of the folder of the files. It must exist.
        ///   - limit: When a recording is full.
        public init(by recorder: EventRecorder, in folder: String, upTo limit: EventRecorder.Limit = .bytes(50_000_000))
        {
            (self.recorder, self.folder, self.limit) = (recorder, folder, limit)
        }

        /// Begins a recording, unless there is one in progress. Blocks until its file has been created.
        func begin() -> TopProtocol.Reply {
            if !recorder.isRecording {
                let time = Date().formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
                // Several processes may write to the folder, and one may begin twice in a second.
                let name = "\(time)-\(getpid())-\(UInt16.random(in: .min ... .max)).jsonl"
                let new = URL(filePath: folder).appending(path: name)
                do {
                    try recorder.start(writingTo: new, upTo: limit)
                } catch {
                    return TopProtocol.Reply(problem: .init(.recording, "cannot write \(new.path()): \(error)"))
                }
                file.withLockedValue { $0 = new.path() }
            }
            return TopProtocol.Reply(recording: status(recorder.summary))
        }

        /// Ends the recording in progress, and waits until its file has been written.
        func end() async -> TopProtocol.Reply {
            guard let summary = await recorder.finish() else {
                return TopProtocol.Reply(problem: .init(.recording, "nothing has been recorded"))
            }
            return TopProtocol.Reply(recording: status(summary))
        }

        private func status(_ summary: EventRecorder.Summary?) -> TopProtocol.Recording {
            let ending: String? =
                switch summary?.ending {
                case nil: nil
                case .stopped: "ended"
                case .full: "full"
                case .tooSlow: "ended because the disk is too slow"
                case .failed(let error): "ended by an error: \(error)"
                }
            return TopProtocol.Recording(
                file: file.withLockedValue { $0 }, events: summary?.events ?? 0, bytes: summary?.bytes ?? 0,
                ending: ending)
        }
    }
}
