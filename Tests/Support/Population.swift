import HotSignals

/// Counts how many of its members are alive, to find what is kept too long.
package final class Population: Sendable {
    private let count = Locked(0)

    package init() {}

    package var alive: Int { count.withLock { $0 } }

    /// One more member.
    package func member(_ onDeath: (@Sendable () -> Void)? = nil) -> Member { Member(of: self, onDeath) }

    package final class Member: Sendable {
        private let population: Population
        private let onDeath: (@Sendable () -> Void)?

        fileprivate init(of population: Population, _ onDeath: (@Sendable () -> Void)?) {
            self.population = population
            self.onDeath = onDeath
            population.count.withLock { $0 += 1 }
        }

        deinit {
            population.count.withLock { $0 -= 1 }
            onDeath?()
        }

        /// For closures, which hold a member by mentioning it.
        package func touch() {}
    }
}
