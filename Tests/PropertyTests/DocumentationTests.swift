import ReactiveSignals
import TestSupport
import Testing

/// The examples in the comments and on the page about glitches.
@Suite("Examples in the documentation")
struct DocumentationTests {
    private enum PortError: Error, Equatable { case outOfRange(Int) }

    private final class Label: Sendable {
        let text = Locked("")
        let (lifetime, token) = Lifetime.make()

        func show(_ text: String) { self.text.withLock { $0 = text } }
    }

    @Test("a property sends its value and its changes")
    func mutableProperty() {
        let log = Log<Int>()
        let count = MutableProperty(0)
        count.producer.startWithNext { log.append($0) }
        count.value = 1
        count.modify { $0 += 1 }
        expect(log.all, is: [0, 1, 2])
        let ticket = count.modify {
            $0 += 1
            return $0
        }
        expect(ticket, is: 3)
    }

    @Test("a total never combines the new price with the old tax")
    func glitches() {
        let log = Log<Int>()
        let price = MutableProperty(100)
        let tax = price.map { $0 / 5 }
        let total = price.combineLatest(with: tax).map { $0 + $1 }
        total.producer.startWithNext { log.append($0) }
        price.value = 200
        expect(log.all, is: [120, 240])
    }

    @Test("a two-way binding keeps two properties equal")
    func twoWay() {
        let form = MutableProperty("Ada")
        let model = MutableProperty("Grace")
        form <~> model
        #expect((form.value, model.value) == ("Grace", "Grace"))
        form.value = "Edsger"
        expect(model.value, is: "Edsger")
        model.value = "Barbara"
        expect(form.value, is: "Barbara")
    }

    @Test("a target consumes values as long as something lives")
    func target() {
        let status = MutableProperty(404)
        let label = Label()
        let text = BindingTarget(lifetime: label.lifetime) { [weak label] in label?.show($0) }
        text <~ status.map(\.description)
        expect(label.text.withLock { $0 }, is: "404")
        label.token.dispose()
        status.value = 200
        expect(label.text.withLock { $0 }, is: "404")
    }

    @Test("a port out of range is not accepted")
    func validation() {
        let port = ValidatingProperty<Int, PortError>(80) {
            (1...65_535).contains($0) ? .valid : .invalid(.outOfRange($0))
        }
        port.value = 8_080
        port.value = 123_456
        expect(port.value, is: 8_080)
        expect(port.result.value, is: .invalid(123_456, .outOfRange(123_456)))
    }

    @Test("an action runs one unit of work per start")
    func action() {
        let isValid = MutableProperty(false)
        let sessions = Log<String>()
        let logIn = Action<String, String, Never>(enabledIf: isValid) { name in
            SignalProducer(value: "session of \(name)")
        }
        logIn.values.observeNext { sessions.append($0) }
        logIn.apply("Ada").start()
        isValid.value = true
        logIn.apply("Ada").start()
        expect(sessions.all, is: ["session of Ada"])
    }
}
