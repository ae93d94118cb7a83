import Foundation

/// The number of rounds in which a test repeats a race.
///
/// It is 50 unless `REACTIVE_SIGNALS_ROUNDS` sets it. The gate sets 100, under the thread sanitizer 50, and 2,500 for
/// the optimized tests of the contract.
package let raceRounds: Int = {
    guard let setting = ProcessInfo.processInfo.environment["REACTIVE_SIGNALS_ROUNDS"] else { return 50 }
    guard let rounds = Int(setting), rounds > 0 else {
        fatalError("REACTIVE_SIGNALS_ROUNDS=\(setting): must be a positive number")
    }
    return rounds
}()

/// How many random steps a test of a model takes, or how often it begins anew: `count` with at least 100 rounds,
/// otherwise a fifth.
package func thorough(_ count: Int) -> Int { raceRounds < 100 ? count / 5 : count }
