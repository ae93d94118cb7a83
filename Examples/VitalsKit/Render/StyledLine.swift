import ExamplesKit

/// What a piece of text means; the terminal shows it as a colour.
enum Tone: Sendable, Equatable {
    case normal, title, faint, good, caution, danger, memory, incoming, outgoing

    /// The parameters of the escape sequence that begins this tone.
    fileprivate var code: String {
        switch self {
        case .normal: "0"
        case .title: "0;1"
        case .faint: "0;2"
        case .good: "0;32"
        case .caution: "0;33"
        case .danger: "0;31"
        case .memory: "0;34"
        case .incoming: "0;36"
        case .outgoing: "0;35"
        }
    }
}

/// One row of the screen.
///
/// Each of its characters takes one column: block characters, arrows, printable ASCII.
struct StyledLine: Sendable, Equatable {
    private(set) var pieces: [Piece] = []

    struct Piece: Sendable, Equatable {
        var text: String
        var tone: Tone
    }

    init() {}

    init(_ text: String, _ tone: Tone = .normal) { append(text, tone) }

    var text: String { pieces.map(\.text).joined() }

    var width: Int { pieces.reduce(0) { $0 + $1.text.count } }

    mutating func append(_ text: String, _ tone: Tone = .normal) {
        guard !text.isEmpty else { return }
        if let last = pieces.indices.last, pieces[last].tone == tone {
            pieces[last].text += text
        } else {
            pieces.append(Piece(text: text, tone: tone))
        }
    }

    /// Appends the text only if all of it fits in that many columns: half a number would be a wrong number.
    mutating func append(_ text: String, _ tone: Tone = .normal, ifFits columns: Int) {
        if width + text.count <= columns { append(text, tone) }
    }

    mutating func append(_ other: StyledLine) {
        for piece in other.pieces { append(piece.text, piece.tone) }
    }

    /// The line, cut or filled with blanks to that many columns.
    func fitted(to columns: Int) -> StyledLine {
        var result = StyledLine()
        for piece in pieces { result.append(String(piece.text.prefix(columns - result.width)), piece.tone) }
        result.append(String(repeating: " ", count: max(columns - result.width, 0)))
        return result
    }

    /// The line as the terminal reads it, which ends in the normal tone.
    func encoded(colored: Bool) -> String {
        guard colored else { return text }
        return pieces.map { $0.tone == .normal ? $0.text : "\u{1B}[\($0.tone.code)m\($0.text)\u{1B}[0m" }.joined()
    }
}
