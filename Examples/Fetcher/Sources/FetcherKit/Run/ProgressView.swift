import ReactiveSignals

/// Shows the progress of a run until a scope ends.
enum ProgressView {
    /// A block that is redrawn at most ten times per second.
    static func showBlock(of run: FetchRun, in scope: SignalScope<Never>) {
        let block = RedrawnBlock()
        // Added before the drawing, because a scope disposes in reverse order.
        scope += { block.finish() }
        run.board.producer.combineLatest(with: run.phase)
            .throttle(.milliseconds(100), on: QueueScheduler(name: "fetcher.progress"))
            .startWithNext(in: scope) { board, phase in
                let size = Console.size
                block.draw(
                    ProgressBlock.lines(board, isStopping: phase != .running, columns: size.columns, rows: size.rows))
            }
    }

    /// Prints each result and each retry in a line, and every five seconds the state of the run.
    ///
    /// - Parameter hasFailures: Whether failures have lines, because no summary for people follows that lists them.
    static func showLines(of run: FetchRun, hasFailures: Bool, in scope: SignalScope<Never>) {
        run.news
            .compactMap { PlainLines.line($0.transfer, $0.update, hasFailures: hasFailures) }
            .observeNext(in: scope) { Console.tell($0) }
        run.board.signal
            .throttle(.seconds(5), on: QueueScheduler(name: "fetcher.progress"))
            // The first one is sent immediately, when there is nothing to report yet.
            .skip(first: 1)
            .observeNext(in: scope) { Console.tell(PlainLines.progress($0)) }
        run.phase.signal
            .filter { $0 == .stopping }
            .observeNext(in: scope) { _ in
                Console.tell("finishing running requests; interrupt again to stop immediately")
            }
    }
}
