import Foundation

/// The number of rounds in which a test repeats a race.
///
/// It is 250 unless `REACTIVE_SIGNALS_ROUNDS` sets it. The gate sets 2,500 for optimized tests, and 100 under the
/// sanitizers.
package let raceRounds: Int = {
    guard let setting = ProcessInfo.processInfo.environment["REACTIVE_SIGNALS_ROUNDS"] else { return 250 }
    guard let rounds = Int(setting), rounds > 0 else {
        fatalError("REACTIVE_SIGNALS_ROUNDS=\(setting): must be a positive number")
    }
    return rounds
}()
