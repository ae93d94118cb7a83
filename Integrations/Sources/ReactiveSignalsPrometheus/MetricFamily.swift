/// The series of one name.
struct MetricFamily: Sendable {
    /// What the series are, as in the `TYPE` line.
    enum Kind: String {
        case counter, gauge, histogram

        /// What the names of the lines of a histogram end with.
        static let suffixes = ["_bucket", "_sum", "_count"]

        /// The names of the lines.
        func names(of name: String) -> [String] {
            self == .histogram ? [name] + Self.suffixes.map { name + $0 } : [name]
        }
    }

    let name: String
    let kind: Kind
    let help: String
    /// By their labels as text: see ``PrometheusName/labels(_:)``.
    var series: [String: any MetricSeries] = [:]

    func write(to text: inout String) {
        text += "# HELP \(name) \(PrometheusName.escape(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
        for (labels, series) in series.sorted(by: { $0.key < $1.key }) { series.write(name, labels, to: &text) }
    }
}

/// What is recorded for one name and one set of labels.
protocol MetricSeries: AnyObject, Sendable {
    /// How many series of Prometheus it is.
    var size: Int { get }

    /// Adds its lines.
    func write(_ name: String, _ labels: String, to text: inout String)
}

extension MetricSeries {
    var size: Int { 1 }

    /// A line.
    static func line(_ name: String, _ labels: String, _ value: String) -> String {
        labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }
}
