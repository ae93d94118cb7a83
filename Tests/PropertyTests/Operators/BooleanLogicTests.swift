import ReactiveSignals
import TestSupport
import Testing

private let both = [false, true]

@Suite("Boolean logic of properties", .watched)
struct BooleanLogicTests {
    @Test("negate is true while its source is false")
    func negate() {
        let owner = Owner(false)
        let property = owner.property.negate()
        let log = property.logged()
        owner.property.set(true, true, false)
        owner.release()
        expect(log.all, is: ["true", "false", "false", "true", "completed"])
        #expect(property.value)
    }

    @Test("and, or follow the truth tables, initially and after changes", arguments: both, both)
    func tables(a: Bool, b: Bool) {
        let (first, second) = (MutableProperty(a), MutableProperty(b))
        let (and, or) = (first.and(second), first.or(second))
        #expect(and.value == (a && b))
        #expect(or.value == (a || b))
        for (a, b) in [(false, false), (true, false), (true, true), (false, true), (false, false)] {
            first.value = a
            second.value = b
            #expect(and.value == (a && b))
            #expect(or.value == (a || b))
        }
    }

    @Test("all, any follow the truth tables of three properties", arguments: 0..<8)
    func tablesOfThree(_ bits: Int) {
        let values = (0..<3).map { bits >> $0 & 1 == 1 }
        let sources = values.map { MutableProperty(!$0) }
        let (all, any) = (Property.all(sources), Property.any(sources))
        for (source, value) in zip(sources, values) { source.value = value }
        expect(all.value, is: values.allSatisfy { $0 })
        expect(any.value, is: values.contains(true))
    }

    @Test("all, any: take properties of several types as arguments", arguments: 0..<8)
    func arguments(_ bits: Int) {
        let values = (0..<3).map { bits >> $0 & 1 == 1 }
        let (first, second) = (MutableProperty(!values[0]), MutableProperty(!values[1]))
        let all = Property.all(first, second.map { $0 }, Property(value: values[2]))
        let any = Property.any(first, second.map { $0 }, Property(value: values[2]))
        first.value = values[0]
        second.value = values[1]
        expect(all.value, is: values.allSatisfy { $0 })
        expect(any.value, is: values.contains(true))
        expect(Property.all(first).value, is: values[0])
        expect(Property.any(first).value, is: values[0])
    }

    @Test("all of no properties is constantly true, and any is constantly false")
    func none() {
        let none: [MutableProperty<Bool>] = []
        expect(Property.all(none).logged().all, is: ["true", "completed"])
        expect(Property.any(none).logged().all, is: ["false", "completed"])
    }

    @Test("all and any of one property equal that property")
    func one() {
        for value in both {
            expect(Property.all([Property(value: value)]).value, is: value)
            expect(Property.any([Property(value: value)]).value, is: value)
        }
    }

    @Test("combines four inputs, in all sixteen combinations", arguments: 0..<16)
    func form(_ bits: Int) {
        let (name, password) = (MutableProperty(""), MutableProperty(""))
        let (isLoggingIn, isLoggedIn) = (MutableProperty(false), MutableProperty(false))
        let isEnabled = MutableProperty(false)
        isEnabled
            <~ Property.combineLatest(name, password, isLoggingIn, isLoggedIn)
            .map { !$0.0.isEmpty && !$0.1.isEmpty && !$0.2 && !$0.3 }
        let logic = Property.all([
            name.map { !$0.isEmpty }, password.map { !$0.isEmpty }, isLoggingIn.or(isLoggedIn).negate(),
        ])
        if bits & 1 > 0 { name.value = "x" }
        if bits & 2 > 0 { password.value = "x" }
        if bits & 4 > 0 { isLoggingIn.value = true }
        if bits & 8 > 0 { isLoggedIn.value = true }
        #expect(isEnabled.value == (bits == 3))
        #expect(logic.value == (bits == 3))
    }

    @Test("properties derived from one source never contradict each other")
    func glitch() {
        let source = MutableProperty(false)
        let never = source.and(source.negate())
        let always = source.or(source.negate())
        let logs = [never.logged(), always.logged()]
        source.set(true, false)
        expect(logs.map(\.all), is: [["false", "false", "false"], ["true", "true", "true"]])
    }

    @Test("ends when all inputs have ended")
    func ends() {
        let (first, second) = (Owner(true), Owner(false))
        let properties = [
            first.property.and(second.property), first.property.or(second.property),
            Property.all([first.property, second.property]), Property.any([first.property, second.property]),
        ]
        let logs = properties.map { $0.logged() }
        first.release()
        second.property.value = true
        second.release()
        expect(logs.map(\.all.last), is: Array(repeating: "completed", count: 4))
        expect(properties.map(\.value), is: [true, true, true, true])
    }
}
