/// Numbers of lines.
struct Lines: Sendable, Equatable {
    /// With nothing but white space, in a comment or not.
    var blank = 0
    /// With a comment and nothing else.
    var comment = 0
    var code = 0

    var total: Int { blank + comment + code }

    static func += (sum: inout Lines, lines: Lines) {
        sum.blank += lines.blank
        sum.comment += lines.comment
        sum.code += lines.code
    }
}
