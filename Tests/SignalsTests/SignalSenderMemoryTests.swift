import Foundation
import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("The memory of a signal with back-pressure", .watched)
struct SignalSenderMemoryTests {
    // A sanitizer has memory of its own, which grows.
    @Test(
        "does not grow while a million values pass a consumer that is slower than the sender", .notUnderSanitizers)
    func flatMemory() async {
        await #expect(processExitsWith: .success) {
            // Heap and code are warm then.
            await Self.pass(10_000)
            let before = Self.residentBytes
            await Self.pass(1_000_000)
            let growth = Self.residentBytes - before
            // A million values take 8 MB at least. Threads that come meanwhile have stacks and heaps of their own.
            guard growth <= 4 << 20 else { fatalError("grew by \(growth) bytes") }
        }
    }

    /// Sends `count` values to a consumer that works for each of them, and expects all of them in order.
    private static func pass(_ count: Int) async {
        let (signal, input) = Signal<Int, Never>.pipe(capacity: 64)
        var values = signal.values(buffering: .suspending(64)).makeAsyncIterator()
        let sender = Task {
            var sent = 0
            while sent < count, await input.send(sent) { sent += 1 }
            input.sendCompleted()
            return sent
        }
        var received = 0
        while let value = await values.next() {
            guard value == received else { fatalError("got \(value) instead of \(received)") }
            received += 1
            var waste = value
            for _ in 0..<30 { waste = waste &* 6_364_136_223_846_793_005 &+ 1 }
            withExtendedLifetime(waste) {}
        }
        guard await sender.value == count, received == count else { fatalError("got \(received) of \(count)") }
    }

    private static var residentBytes: Int {
        let numbers = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        // The second number is that of the pages in memory.
        let pages = numbers?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * NSPageSize()
    }
}
