package import Testing

/// Records an issue with both values unless `actual` equals `expected`.
///
/// Replaces `#expect(actual == expected)`: for the thousands of comparisons in these tests, the macro doubled compile
/// times, because the compiler type-checks each expansion, about 20 ms each.
package func expect<Value: Equatable>(
    _ actual: Value, is expected: Value, _ comment: @autoclosure () -> Comment? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    expect(actual, is: expected, comment(), sourceLocation: location)
}

/// Records the issue at the given location, for checks that several tests call.
package func expect<Value: Equatable>(
    _ actual: Value, is expected: Value, _ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation
) {
    if actual == expected { return }
    let values = "expected \(expected), but got \(actual)"
    let text = comment().map { "\($0.rawValue): \(values)" } ?? values
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
}
