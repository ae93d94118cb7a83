import AsyncAlgorithms
package import PeerSupport

extension AsyncPeer {
    private typealias Channel = MultiProducerSingleConsumerAsyncChannel<Int, Never>

    /// Values from one task into a slow `for await` on another, through a channel with as many places as the pipe of
    /// the library and its consumer have together.
    package static func bounded(_ functions: Functions) -> Run {
        { count in
            waitForTask {
                var ends = Channel.makeChannel(of: Int.self, backpressureStrategy: .watermark(low: 64, high: 128))
                var channel = ends.takeChannel()
                let held = HeldSource(ends.source)
                Task.detached {
                    // The task alone has it from now on.
                    guard var source = held.source.take() else { return }
                    for value in 0..<count { try? await source.send(value) }
                    source.finish()
                }
                var received = 0
                while let value = await channel.next(isolation: nil) {
                    precondition(value == received)
                    received += 1
                    functions.observeSlowly(value)
                }
                precondition(received == count)
            }
        }
    }

    /// Takes a source into a task.
    private final class HeldSource: @unchecked Sendable {
        // Unchecked: one task takes it out.
        var source: Channel.Source?

        init(_ source: consuming sending Channel.Source) { self.source = consume source }
    }
}
