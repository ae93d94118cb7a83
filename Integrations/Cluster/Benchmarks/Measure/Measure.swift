import Baseline
import Dispatch
import Foundation
import ReactiveCluster
import ReactiveClusterNATS
import ReactiveSignals
import Synchronization

/// Measures the transport over NATS beside the C client: see `Scripts/measure`, which starts a server and calls this.
@main
enum Measure {
    // Not `async`: then the main thread would end, and valgrind with it.
    static func main() {
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                try await run()
            } catch {
                print(error)
                exit(1)
            }
            end.signal()
        }
        end.wait()
    }

    private static func run() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "time" where arguments.count == 3: try await time(arguments[1], rounds: Int(arguments[2])!)
        case "receive-c" where arguments.count == 3: baseline_receive(arguments[1], "measured", Int32(arguments[2])!)
        case "receive" where arguments.count == 3: try await receive(arguments[1], count: Int(arguments[2])!)
        case "publish" where arguments.count == 4:
            var bytes = envelope(valueSize: 64)
            baseline_publish_numbered(
                arguments[1], "measured", Int32(arguments[2])!, &bytes, Int32(bytes.count), 20, Int32(arguments[3])!)
        case "send-c" where arguments.count == 3:
            var bytes = envelope(valueSize: 64)
            baseline_publish(arguments[1], "sent", Int32(arguments[2])!, &bytes, Int32(bytes.count), 0)
        case "send" where arguments.count == 3: try await send(arguments[1], count: Int(arguments[2])!)
        case "memory" where arguments.count == 4:
            try await memory(arguments[1], count: Int32(arguments[2])!, pause: .seconds(Int(arguments[3])!))
        default:
            print(
                "usage: Measure time ADDRESS ROUNDS | receive-c|receive|send-c|send ADDRESS COUNT | "
                    + "publish ADDRESS COUNT BURST | memory ADDRESS COUNT S"
            )
            exit(2)
        }
    }

    private static var limits: RemoteSignal<[UInt8]>.Limits {
        var limits = RemoteSignal<[UInt8]>.Limits()
        limits.waitingMessages = .max
        limits.waitingBytes = .max
        limits.beaconInterval = nil
        return limits
    }

    /// The bytes of a message of 64 bytes with its envelope, of origin 1 and epoch 1.
    private static func envelope(valueSize: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 28 + valueSize)
        bytes[0] = UInt8(ascii: "R")
        bytes[1] = 1
        bytes[4] = 1
        bytes[12] = 1
        return bytes
    }

    // MARK: Time

    /// Publishes and observes in turn with the C client and with remote signals, and prints the ratio.
    private static func time(_ address: String, rounds: Int) async throws {
        let count = 200_000
        let size = 64
        var ours: [Int64] = []
        var theirs: [Int64] = []
        for _ in 0..<rounds {
            theirs.append(baseline_round(address, Int32(count), Int32(size)))
            ours.append(try await round(address, count, size))
        }
        func perMessage(_ times: [Int64]) -> Int64 { times.sorted()[times.count / 2] / Int64(count) }
        func best(_ times: [Int64]) -> Int64 { times.min()! / Int64(count) }
        print("publish to observe, nanoseconds per message, median (best) of \(rounds) rounds of \(count)")
        print("  C client       \(perMessage(theirs)) (\(best(theirs)))")
        print("  RemoteSignal   \(perMessage(ours)) (\(best(ours)))")
        let ratio = Double(ours.sorted()[rounds / 2]) / Double(theirs.sorted()[rounds / 2])
        print(String(format: "  ratio          %.2f (%.2f)", ratio, Double(ours.min()!) / Double(theirs.min()!)))
    }

    private static func round(_ address: String, _ count: Int, _ size: Int) async throws -> Int64 {
        let sending = try await NATSTransport.connect(NATSOptions(servers: [address]))
        let receiving = try await NATSTransport.connect(NATSOptions(servers: [address]))
        let subject = try Subject("ours")
        let sender = RemoteSignal<[UInt8]>(subject, over: sending, codec: .bytes, limits: limits)
        let receiver = RemoteSignal<[UInt8]>(subject, over: receiving, codec: .bytes, limits: limits)
        let counter = Counter(limit: count)
        let observation = receiver.values().startWithResult { _ in counter.count() }
        // The server knows of the subscription once it answers what came later.
        _ = try? await receiving.request([], to: Subject("nobody"), timeout: .seconds(5))
        let value = [UInt8](repeating: 0, count: size)
        let start = DispatchTime.now().uptimeNanoseconds
        // The transport drops messages if more than 65,536 of them wait for the receiver, which a busy machine can cause.
        for sent in stride(from: 0, to: count, by: 1000) {
            while counter.value + 50_000 < sent { usleep(100) }
            try publish(sender, value, min(1000, count - sent))
        }
        await counter.isFull()
        let end = DispatchTime.now().uptimeNanoseconds
        observation.dispose()
        sending.close()
        receiving.close()
        return Int64(end - start)
    }

    private static func publish(_ sender: RemoteSignal<[UInt8]>, _ value: [UInt8], _ count: Int) throws {
        for _ in 0..<count { try sender.publish(value) }
    }

    // MARK: Instructions

    /// Receives messages, and returns. Prints "ready" once the server knows of the subscription.
    private static func receive(_ address: String, count: Int) async throws {
        let transport = try await NATSTransport.connect(NATSOptions(servers: [address]), timeout: .seconds(60))
        let signal = RemoteSignal<[UInt8]>(try Subject("measured"), over: transport, codec: .bytes, limits: limits)
        let counter = Counter(limit: count)
        let observation = signal.values().startWithResult { _ in counter.count() }
        _ = try? await transport.request([], to: Subject("nobody"), timeout: .seconds(60))
        print("ready")
        fflush(nil)
        await counter.isFull()
        observation.dispose()
        transport.close()
    }

    /// Publishes messages that nobody receives.
    private static func send(_ address: String, count: Int) async throws {
        let transport = try await NATSTransport.connect(NATSOptions(servers: [address]), timeout: .seconds(60))
        let signal = RemoteSignal<[UInt8]>(try Subject("sent"), over: transport, codec: .bytes, limits: limits)
        try publish(signal, [UInt8](repeating: 0, count: 64), count)
        await transport.drain(timeout: .seconds(60))
    }

    // MARK: Memory

    /// Lets messages pass while an observer of a signal and a reader of a journal stop, and prints the memory.
    private static func memory(_ address: String, count: Int32, pause: Duration) async throws {
        let transport = try await NATSTransport.connect(NATSOptions(servers: [address]))
        let journal = try await Journal<[UInt8]>(
            StreamConfiguration(name: ResourceName("memory"), subject: Subject("memory.journal")), over: transport,
            codec: .bytes)
        let signal = RemoteSignal<[UInt8]>(try Subject("memory.signal"), over: transport, codec: .bytes)
        let gate = DispatchSemaphore(value: 0)
        let isStopped = Atomic(true)
        let lost = Atomic<UInt64>(0)
        let observation = signal.deliveries().startWithResult { result in
            if isStopped.load(ordering: .relaxed) { gate.wait() }
            if case .success(.gap(let count, _)) = result { lost.add(UInt64(count), ordering: .relaxed) }
        }
        var entries = journal.producer(after: 0).values(buffering: .suspending(16)).makeAsyncIterator()
        _ = try? await transport.request([], to: Subject("nobody"), timeout: .seconds(5))
        let payload = envelope(valueSize: 64)
        // The first messages, so that every buffer has its size.
        var first = payload
        baseline_publish_numbered(address, "memory.signal", 10_000, &first, Int32(first.count), 20, 0)
        baseline_append(address, "memory.journal", 10_000, payload, Int32(payload.count))
        for _ in 0..<100 { _ = try await entries.next() }
        let before = residentKilobytes()
        let start = ContinuousClock.now
        var more = payload
        baseline_publish_numbered(address, "memory.signal", count, &more, Int32(more.count), 20, 1000)
        baseline_append(address, "memory.journal", count, payload, Int32(payload.count))
        var greatest = residentKilobytes()
        while ContinuousClock.now - start < pause {
            try await Task.sleep(for: .seconds(1))
            greatest = max(greatest, residentKilobytes())
        }
        print("memory in KiB while \(count) messages and entries passed observers that did not move:")
        print("  before \(before), greatest \(greatest)")
        isStopped.store(false, ordering: .relaxed)
        for _ in 0..<10 { gate.signal() }
        var read = 100
        while read < Int(count), let entry = try await entries.next() { read = Int(entry.sequence) }
        print("  the journal's reader then read all \(read); memory \(residentKilobytes())")
        observation.dispose()
        transport.close()
    }

    private static func residentKilobytes() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
        return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }
}

/// Counts values, and resumes a task at the last one.
private final class Counter: Sendable {
    private let number = Atomic(0)
    private let limit: Int
    private let isOver = Mutex<(isOver: Bool, waiting: CheckedContinuation<Void, Never>?)>((false, nil))

    init(limit: Int) { self.limit = limit }

    var value: Int { number.load(ordering: .relaxed) }

    @inline(__always)
    func count() {
        if number.add(1, ordering: .relaxed).newValue == limit { end() }
    }

    private func end() {
        let waiting = isOver.withLock { state in
            state.isOver = true
            return state.waiting
        }
        waiting?.resume()
    }

    func isFull() async {
        await withCheckedContinuation { continuation in
            let isOver = isOver.withLock { state in
                if !state.isOver { state.waiting = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }
}
