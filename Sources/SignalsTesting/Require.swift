/// Traps unless `condition` holds. Names the place in the test: the caller passes its own parameters on.
func require(_ condition: Bool, _ message: @autoclosure () -> String, file: StaticString, line: UInt) {
    if !condition { fatalError(message(), file: file, line: line) }
}
