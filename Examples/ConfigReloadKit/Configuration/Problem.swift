import ExamplesKit

/// Something that is to be said of the file.
struct Problem: Sendable, Equatable {
    enum Severity: String, Sendable {
        /// Keeps the file from coming into force.
        case error
        case warning
    }

    var severity = Severity.error
    /// Nil if it concerns the file as a whole.
    var position: TextPosition?
    var keyPath: String?
    let reason: String

    /// In the form that editors and other tools know from compilers.
    func text(file: String) -> String {
        let place = position.map { ":\($0)" } ?? ""
        let key = keyPath.map { "\($0.printable): " } ?? ""
        return "\(file.printable)\(place): \(severity): \(key)\(reason)"
    }
}
