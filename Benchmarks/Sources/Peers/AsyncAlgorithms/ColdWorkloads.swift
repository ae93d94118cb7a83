import AsyncAlgorithms
import Dispatch
package import PeerSupport

extension AsyncPeer {
    package static func zipOfSequences(_ functions: Functions) -> Run {
        { count in
            finish {
                for await pair in AsyncAlgorithms.zip(Values.first(count).async, Values.first(count).async) {
                    functions.observePair(pair)
                }
            }
        }
    }

    package static func combineLatestOfSequences(_ functions: Functions) -> Run {
        { count in
            finish {
                for await pair in AsyncAlgorithms.combineLatest(Values.first(count).async, Values.first(count).async) {
                    functions.observePair(pair)
                }
            }
        }
    }

    private static func finish(_ work: @escaping @Sendable () async -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            await work()
            done.signal()
        }
        done.wait()
    }
}
