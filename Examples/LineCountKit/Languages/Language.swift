/// A language, as far as counting its lines needs to know it.
struct Language: Sendable {
    let name: String
    /// What file names end with after a dot, in lower case.
    var extensions: [String] = []
    /// Whole file names, in lower case.
    var fileNames: [String] = []
    /// The programs that the first line of a script names after `#!`.
    var interpreters: [String] = []
    var lineComments: [String] = []
    var blockComments: [BlockComment] = []
    var strings: [StringLiteral] = []
}

/// A comment that ends where it says, over any number of lines.
struct BlockComment: Sendable {
    let open: String
    let close: String
    /// Whether there may be comments in comments.
    var nests = false
    /// Whether it counts only at the very beginning of a line, and so does its end.
    var atLineStart = false

    /// `/* */`
    static let c = BlockComment("/*", "*/")
    /// `/* */`, with others of its kind in it.
    static let nestedC = BlockComment("/*", "*/", nests: true)
    /// `<!-- -->`
    static let xml = BlockComment("<!--", "-->")

    init(_ open: String, _ close: String, nests: Bool = false, atLineStart: Bool = false) {
        self.open = open
        self.close = close
        self.nests = nests
        self.atLineStart = atLineStart
    }
}

/// A literal in which nothing begins a comment.
struct StringLiteral: Sendable {
    let open: String
    /// Empty for a literal that is a token as a whole, such as the character `'"'`.
    let close: String
    /// Whether a backslash takes the meaning from what follows it.
    var escapes = true
    /// Whether it goes on after the end of the line. One that does not is cut off there, so that a quotation mark which
    /// is none spoils no more than its line.
    var spansLines = false
    /// Whether it counts as a comment where it begins a statement, as the documentation of a Python function does.
    var documents = false
    /// The words of which one must stand right before it, such as the `R` of a raw string; none must if this is empty.
    var prefixes: [String] = []
    /// Whether the end repeats what stands between the quotation mark and a parenthesis, as in `R"x(...)x"`.
    var hasDelimiter = false

    /// `"..."`
    static let double = StringLiteral("\"", "\"")
    /// `'...'`
    static let single = StringLiteral("'", "'")
    /// `"""..."""` over lines.
    static let tripleDouble = StringLiteral("\"\"\"", "\"\"\"", spansLines: true)
    /// Those of Python. As a statement of its own, each is documentation, also a raw one; but not with an `f` or a `b`.
    static let python = ["\"\"\"", "'''", "\"", "'"].flatMap { quote in
        [["r", "R", "u", "U"], []].map { prefixes in
            StringLiteral(quote, quote, spansLines: quote.count == 3, documents: true, prefixes: prefixes)
        }
    }
    /// `` `...` `` over lines.
    static let template = StringLiteral("`", "`", spansLines: true)
    static let rawTemplate = StringLiteral("`", "`", escapes: false, spansLines: true)
    /// The one character literal that would begin a string, in languages where an apostrophe alone means something
    /// else.
    static let quoteCharacters = [StringLiteral("'\"'", ""), StringLiteral("'\\\"'", "")]

    init(
        _ open: String, _ close: String, escapes: Bool = true, spansLines: Bool = false, documents: Bool = false,
        prefixes: [String] = [], hasDelimiter: Bool = false
    ) {
        self.open = open
        self.close = close
        self.escapes = escapes
        self.spansLines = spansLines
        self.documents = documents
        self.prefixes = prefixes
        self.hasDelimiter = hasDelimiter
    }
}
