import Synchronization

/// Waits until the condition holds.
///
/// - Returns: Whether it holds.
package func eventually(_ condition: @Sendable () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + patience
    while ContinuousClock.now < deadline {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return try await condition()
}

/// Counts the tokens that have not been released.
package final class Population: Sendable {
    fileprivate let count = Atomic(0)

    package init() {}

    package var alive: Int { count.load(ordering: .sequentiallyConsistent) }

    package func token() -> Token { Token(self) }
}

/// Something that a closure retains, so that a test sees when the closure is released.
package final class Token: Sendable {
    private let population: Population

    fileprivate init(_ population: Population) {
        self.population = population
        population.count.add(1, ordering: .sequentiallyConsistent)
    }

    deinit { population.count.subtract(1, ordering: .sequentiallyConsistent) }

    package func touch() {}
}
