import Dispatch
import ExamplesKit
import ReactiveSignals

/// Tells when what a path leads to may have changed, whatever became of it.
///
/// A path is a chain of names, each looked up in a directory. All of these directories are watched, so a change is seen
/// wherever it is: the file written, replaced or deleted, a link anywhere on the way pointed elsewhere, a directory
/// moved away or made again.
final class FileWatch: Sendable {
    private let path: String
    private let watcher: Int32
    // Unsafe in name only: a dispatch source may be used from any thread, its protocol just does not say so.
    private nonisolated(unsafe) let source: any DispatchSourceRead
    private let send: @Sendable (FileChange) -> Void
    private let way = Locked(Way())

    /// What is watched.
    private struct Way {
        /// The names that matter, by the directories' watches.
        var names: [Int32: Set<String>] = [:]
        var hidden: FileChange?
    }

    /// A producer whose every start watches the file, and sends at once, since nobody knows what has happened before.
    static func changes(of path: String, on queue: DispatchQueue) -> SignalProducer<FileChange, System.Failure> {
        SignalProducer { observer, lifetime in
            do throws(System.Failure) {
                let watch = try FileWatch(path: path, queue: queue) { observer.sendNext($0) }
                lifetime.observeEnded { watch.source.cancel() }
            } catch {
                observer.sendError(error)
            }
        }
    }

    private init(
        path: String, queue: DispatchQueue, send: @escaping @Sendable (FileChange) -> Void
    ) throws(System.Failure) {
        let watcher = try System.makeWatcher()
        self.path = path
        self.watcher = watcher
        self.send = send
        source = DispatchSource.makeReadSource(fileDescriptor: watcher, queue: queue)
        // The source keeps the watch alive until it is cancelled.
        source.setEventHandler { self.read() }
        source.setCancelHandler { System.closeWatcher(watcher) }
        source.activate()
        queue.async { self.follow() }
    }

    /// Called on the queue.
    private func read() {
        let changes = System.changes(of: watcher).filter { change in
            if change.isLoss { return true }
            guard let names = way.withLock({ $0.names[change.watch] }) else { return false }
            return change.name.isEmpty || names.contains(change.name)
        }
        if changes.contains(where: { $0.isRenaming || $0.isLoss }) {
            follow()
        } else if !changes.isEmpty {
            send(.changed)
        }
    }

    /// Watches the directories that the path goes through now, and no others. Called on the queue.
    private func follow() {
        // From the cancellation on the descriptor may be closed, which is also done on the queue.
        guard !source.isCancelled else { return }
        var way = Way()
        PathWalk.follow(path) { step in
            do throws(System.Failure) {
                let watch = try System.watch(step.directory, contents: step.isLast, with: watcher)
                way.names[watch, default: []].insert(step.name)
            } catch {
                // One on the way may be closed to us; unless it is moved itself, that makes no difference. And what has
                // just gone is missed where it was.
                guard step.isLast, !error.isMissing else { return }
                way.hidden = .hidden(directory: step.directory, reason: error.description)
            }
        }
        let former = self.way.withLock { former in
            defer { former = way }
            return former
        }
        for watch in former.names.keys where way.names[watch] == nil { System.unwatch(watch, with: watcher) }
        if let hidden = way.hidden, hidden != former.hidden { send(hidden) }
        send(.changed)
    }
}
