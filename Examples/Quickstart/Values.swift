import ReactiveSignals

extension WorkedExample {
    /// Operators on the values of one signal.
    static let values = [
        WorkedExample("EX-4", "map: each letter twice", prints: "AA BB CC DD EE FF GG HH II") { out in
            let (letters, input) = Signal<String, Never>.pipe()
            letters
                .map { letter in letter + letter }
                .observeNext { out.word($0) }

            for letter in "ABCDEFGHI" { input.sendNext(String(letter)) }
        },

        WorkedExample("EX-5", "filter: the even numbers", prints: "2 4 6 8") { out in
            let (numbers, input) = Signal<Int, Never>.pipe()
            numbers
                .filter { number in number % 2 == 0 }
                .observeNext { out.word($0) }

            for number in 1...9 { input.sendNext(number) }
        },

        WorkedExample("EX-39", "filter and map: what was a loop over a collection", prints: "bbfoobar cccfoobar") {
            out in
            let (strings, input) = Signal<String, Never>.pipe()
            strings
                .filter { string in string.count >= 2 }
                .map { string in string + "foobar" }
                .observeNext { out.word($0) }

            for string in ["a", "bb", "ccc"] { input.sendNext(string) }
        },
    ]
}
