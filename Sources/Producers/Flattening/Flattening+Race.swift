import HotSignals

// What is special about `.race`: the first stream that sends or ends is the chosen one.
extension Flattening {
    /// Returns whether an inner stream is the winner of the race. Makes it the winner, and disposes of the others, if
    /// there is none yet.
    @_alwaysEmitIntoClient
    func wins(_ number: UInt) -> Bool {
        let winner = chosen.load()
        if winner != 0 { return winner == number }
        let losers = state.withLock { state -> (starts: NumberedStarts, queue: Queue<Inner>)? in
            guard chosen.compareExchangeAcquiring(from: 0, to: number) else { return nil }
            // From now on, only the winner counts.
            state.active = 1
            return (state.starts.removeAll(but: number), exchange(&state.queue, with: Queue()))
        }
        guard let losers else { return chosen.load() == number }
        losers.starts.disposeOfAll()
        return true
    }
}
