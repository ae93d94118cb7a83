import ExamplesKit

/// What ends Vitals before its time.
///
/// Its description is the one line that the user reads.
enum VitalsError: Error, Equatable, CustomStringConvertible {
    /// A file that could not be opened or read, with the reason of the operating system.
    case unreadable(file: String, reason: String)
    /// A file that was read, and is not what the kernel would write.
    case malformed(file: String, reason: String)
    /// A recording with fewer frames than the run needs.
    case recordingEnded(directory: String, samples: Int, wanted: Int)
    /// Standard output does not take what Vitals writes: a full disk, a terminal that is gone.
    case output(reason: String)
    /// The program that reads the output has had enough, as in `Vitals | head`: nothing is wrong.
    case unread

    var description: String {
        switch self {
        case .unreadable(let file, let reason):
            "cannot read \(file.printable): \(reason)"
        case .malformed(let file, let reason):
            "\(file.printable) is malformed: \(reason.printable)"
        case .recordingEnded(let directory, let samples, let wanted):
            "the recording \(directory.printable) ended after \(samples) of \(Format.count(wanted, "sample"))"
        case .output(let reason):
            "cannot write to standard output: \(reason)"
        case .unread:
            "the output is no longer read"
        }
    }
}
