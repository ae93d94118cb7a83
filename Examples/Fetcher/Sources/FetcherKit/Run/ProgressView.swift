import ReactiveSignals

/// Shows a run while it goes on: for as long as a scope lasts.
enum ProgressView {
    /// One block that is drawn again and again, never more than ten times a second.
    static func showBlock(of run: FetchRun, in scope: SignalScope<Never>) {
        let block = RedrawnBlock()
        // Before the drawing, so that it is done after that has ended.
        scope += { block.finish() }
        run.board.producer.combineLatest(with: run.phase)
            .throttle(.milliseconds(100), on: QueueScheduler(name: "fetcher.progress"))
            .startWithNext(in: scope) { board, phase in
                let size = Console.size
                block.draw(
                    ProgressBlock.lines(board, isStopping: phase != .running, columns: size.columns, rows: size.rows))
            }
    }

    /// A line for all that ends or fails, and now and then one that says how far it has come.
    static func showLines(of run: FetchRun, in scope: SignalScope<Never>) {
        run.news
            .compactMap { PlainLines.line($0.transfer, $0.update) }
            .observeNext(in: scope) { Console.tell($0) }
        run.board.signal
            .throttle(.seconds(5), on: QueueScheduler(name: "fetcher.progress"))
            // The first is sent at once, when there is nothing to say yet.
            .skip(first: 1)
            .observeNext(in: scope) { Console.tell(PlainLines.progress($0)) }
        run.phase.signal
            .filter { $0 == .stopping }
            .observeNext(in: scope) { _ in
                Console.tell("finishing what is under way; interrupt again to end it at once")
            }
    }
}
