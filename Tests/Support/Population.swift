import HotSignals

/// Counts the members that are alive, to detect leaks.
package final class Population: Sendable {
    private let count = Locked(0)

    package init() {}

    package var alive: Int { count.withLock { $0 } }

    /// Adds a member.
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

        /// For closures, which retain a member by mentioning it.
        package func touch() {}
    }
}
