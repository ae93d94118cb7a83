/// Parses a marble diagram into marks, each with its frame and column.
struct MarbleParser {
    enum Mark: Equatable {
        case word(String)
        case completed
        case failed
        case interrupted
    }

    struct Item {
        let mark: Mark
        let frame: Int
        /// Counted from 1.
        let column: Int
    }

    private let text: String
    private let characters: [Character]
    private var position = 0
    private var frame = 0
    private var items: [Item] = []
    /// The column of the terminal event.
    private var end: Int?

    /// Returns the items, in order, and the number of frames.
    static func parse(_ text: String) throws(MarbleSyntaxError) -> (items: [Item], frames: Int) {
        var parser = MarbleParser(text)
        try parser.parse()
        return (parser.items, parser.frame)
    }

    private init(_ text: String) {
        self.text = text
        characters = Array(text)
    }

    private mutating func parse() throws(MarbleSyntaxError) {
        while position < characters.count {
            switch characters[position] {
            case " ": position += 1
            case "-":
                position += 1
                frame += 1
            case "(":
                try parseGroup()
                frame += 1
            default:
                try parseMark(isInGroup: false)
                frame += 1
            }
        }
    }

    /// Parses simultaneous events: `(ab|)`.
    private mutating func parseGroup() throws(MarbleSyntaxError) {
        let start = position
        position += 1
        while true {
            guard position < characters.count else { throw failure("the group is not closed", at: start) }
            switch characters[position] {
            case " ": position += 1
            case ")":
                guard position > start + 1, items.last.map({ $0.column > start + 1 }) ?? false else {
                    throw failure("the group is empty", at: start)
                }
                position += 1
                return
            case "(": throw failure("a group cannot contain another group", at: position)
            default: try parseMark(isInGroup: true)
            }
        }
    }

    private mutating func parseMark(isInGroup: Bool) throws(MarbleSyntaxError) {
        let start = position
        let mark: Mark
        switch characters[start] {
        case "|": mark = .completed
        case "X", "#": mark = .failed
        case "!": mark = .interrupted
        case "[": mark = .word(try parseBrackets())
        case "-" where isInGroup:
            // No time passes in a group, so a minus is the sign of the digit that follows.
            guard start + 1 < characters.count, characters[start + 1].isNumber else {
                throw failure("no time passes in a group: a minus must be followed by a digit", at: start)
            }
            position += 1
            mark = .word("-\(characters[position])")
        case let character where character.isLetter || character.isNumber: mark = .word(String(character))
        case ")": throw failure("no group is open", at: start)
        case "]": throw failure("no bracket is open", at: start)
        case let character:
            throw failure("`\(character)` is not a symbol: write a value of that name in brackets", at: start)
        }
        if let end { throw failure("nothing can follow the terminal event in column \(end)", at: start) }
        if case .word = mark {} else { end = start + 1 }
        items.append(Item(mark: mark, frame: frame, column: start + 1))
        position += 1
    }

    /// Parses a word of several characters: `[-12]`. Leaves the position at the closing bracket.
    private mutating func parseBrackets() throws(MarbleSyntaxError) -> String {
        let start = position
        var word = ""
        position += 1
        while position < characters.count, characters[position] != "]" {
            word.append(characters[position])
            position += 1
        }
        guard position < characters.count else { throw failure("the bracket is not closed", at: start) }
        guard !word.isEmpty else { throw failure("the brackets are empty", at: start) }
        return word
    }

    private func failure(_ reason: String, at position: Int) -> MarbleSyntaxError {
        MarbleSyntaxError(text: text, column: position + 1, reason: reason)
    }
}
