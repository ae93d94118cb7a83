extension String {
    /// The string with `?` in place of every control character: what comes from outside must not steer the terminal.
    package var printable: String {
        String(map { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? "?" : $0 })
    }
}
