import ReactiveSignals

/// Shows a run while it goes on.
struct ProgressView {
    /// What ends it.
    let finish: @Sendable () -> Void

    /// One block that is drawn again and again, never more than ten times a second.
    static func block(_ run: FetchRun) -> ProgressView {
        let block = RedrawnBlock()
        let drawing = run.board.producer.combineLatest(with: run.phase)
            .throttle(.milliseconds(100), on: QueueScheduler(name: "fetcher.progress"))
            .startWithNext { board, phase in
                let size = Console.size
                block.draw(
                    ProgressBlock.lines(
                        board, isStopping: phase != .running, columns: size.columns, rows: size.rows))
            }
        return ProgressView {
            drawing.dispose()
            block.finish()
        }
    }

    /// A line for all that ends or fails, and now and then one that says how far it has come.
    static func plain(_ run: FetchRun) -> ProgressView {
        let telling = run.news.compactMap { PlainLines.line($0.transfer, $0.update) }.observeNext { Console.tell($0) }
        let summing = run.board.signal
            .throttle(.seconds(5), on: QueueScheduler(name: "fetcher.progress"))
            // The first is sent at once, when there is nothing to say yet.
            .skip(first: 1)
            .observeNext { Console.tell(PlainLines.progress($0)) }
        let stopping = run.phase.signal.skipRepeats().observeNext { phase in
            if phase == .stopping {
                Console.tell("finishing what is under way; interrupt again to end it at once")
            }
        }
        return ProgressView {
            stopping?.dispose()
            telling?.dispose()
            summing?.dispose()
        }
    }

    static var none: ProgressView { ProgressView {} }
}
