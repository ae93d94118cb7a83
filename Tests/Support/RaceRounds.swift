import Foundation

/// The number of rounds in which a test repeats a race.
///
/// It is 100 unless `REACTIVE_SIGNALS_ROUNDS` sets it. The gate sets 250, and 2,500 for optimized tests.
package let raceRounds: Int = {
    guard let setting = ProcessInfo.processInfo.environment["REACTIVE_SIGNALS_ROUNDS"] else { return 100 }
    guard let rounds = Int(setting), rounds > 0 else {
        fatalError("REACTIVE_SIGNALS_ROUNDS=\(setting): must be a positive number")
    }
    return rounds
}()
