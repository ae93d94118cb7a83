import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("mapError(_:) of producers")
struct MapErrorTests {
    private enum OtherError: Error {
        case wrapping(String)
    }

    @Test("replaces the error, also with one of another type, and forwards every other event")
    func maps() {
        let failing = Numbers(value: 1).concat(error: .second).mapError { OtherError.wrapping("\($0)") }
        #expect(failing.logged().all == ["1", #"error wrapping("second")"#])
        for terminal in [Event<Int, TestError>.completed, .interrupted] {
            let producer = ending(with: terminal).mapError { error in
                Issue.record("there is no error")
                return error
            }
            expect(producer.logged().all, is: [terminal.text])
        }
    }

    @Test("cancels the work of the failed start only")
    func fails() {
        let manual = Manual()
        let producer = manual.producer.mapError { _ in TestError.second }
        let failing = producer.logged()
        let input = manual.input
        let other = producer.startLogged()
        input?.sendError(.first)
        expect(failing.all, is: ["error second"])
        expect(manual.disposals.value, is: 1)
        manual.input?.sendNext(1)
        other.disposable.dispose()
        expect(other.log.all, is: ["1", "interrupted"])
        manual.release()
    }

    @Test("follows its source, separately for each start")
    func follows() { expectFollows { $0.mapError { $0 } } }

    @Test("holds nothing once it has ended")
    func releases() { expectReleases { source, member in source.mapError { member.through($0) } } }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.mapError { $0 }.name, is: "[never] -mapError:") }
}
