import ExamplesKit
import ReactiveSignals

/// What a whole run came to.
///
/// It grows with every sample, so that it is ready whenever the run ends.
struct Report: Sendable, Equatable {
    var samples = 0
    var begin = Duration.zero
    var end = Duration.zero
    var lowestCPU = 1.0
    var highestCPU = 0.0
    private var sumOfCPU = 0.0
    var peakMemory = 0.0
    var received = 0.0
    var sent = 0.0
    var read = 0.0
    var written = 0.0
    var alertsRaised = 0
    private var raised: Set<String> = []
    /// Nil while the run goes on.
    var ending: Ending?

    enum Ending: Sendable, Equatable {
        /// All samples that were asked for, or that the recording has.
        case completed
        /// The user, or whoever sent the signal, has seen enough.
        case interrupted
        case failed(VitalsError)
    }

    init() {}

    /// Takes in an event of the signal of samples, the last one included.
    mutating func add(_ event: Event<Sample, VitalsError>) {
        switch event {
        case .next(let sample): add(sample)
        case .completed: ending = .completed
        case .interrupted: ending = .interrupted
        case .error(let error): ending = .failed(error)
        }
    }

    private mutating func add(_ sample: Sample) {
        if samples == 0 { begin = sample.interval.start }
        samples += 1
        end = sample.interval.end
        let cpu = sample.cpu.machine.busy
        lowestCPU = min(lowestCPU, cpu)
        highestCPU = max(highestCPU, cpu)
        sumOfCPU += cpu
        peakMemory = max(peakMemory, Double(sample.memory.used))
        received += sample.network.total.bytesIn
        sent += sample.network.total.bytesOut
        read += sample.disk.total.bytesIn
        written += sample.disk.total.bytesOut
        alertsRaised += Set(sample.alerts).subtracting(raised).count
        raised = Set(sample.alerts)
    }

    var averageCPU: Double { samples == 0 ? 0 : sumOfCPU / Double(samples) }

    /// The summary that ends the output.
    var text: String {
        guard samples > 0 else { return "Summary: no samples" }
        return """
            Summary: \(samples) \(samples == 1 ? "sample" : "samples") in \(Format.fixed((end - begin).seconds)) s
              cpu      min \(Format.percent(lowestCPU)), avg \(Format.percent(averageCPU)), \
            max \(Format.percent(highestCPU))
              memory   peak \(Format.bytes(peakMemory))
              network  in \(Format.bytes(received)), out \(Format.bytes(sent))
              disk     read \(Format.bytes(read)), write \(Format.bytes(written))
              alerts   \(alertsRaised) raised
            """
    }
}
