/// What cold streams send: made once, so that making it is not measured.
package enum Values {
    private static let all = Array(0..<2_000_000)

    /// The numbers from 0.
    package static func first(_ count: Int) -> ArraySlice<Int> { all.prefix(count) }
}
