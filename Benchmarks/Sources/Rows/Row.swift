import PeerReactiveSignals
public import PeerSupport

/// Who does the work.
public enum Peer: String, CaseIterable, Sendable {
    case reactiveSignals = "rs"
    case openCombine = "oc"
    case asyncAlgorithms = "aa"
    case floor
}

/// What is measured of it.
public enum Measure: String, Sendable {
    /// Nanoseconds, median.
    case time
    /// Instructions of the whole process, from callgrind.
    case instructions
    /// Blocks taken from the heap.
    case allocations
    /// Blocks and bytes that are still alive afterwards.
    case blocks, bytes
}

/// What a figure of ours has to be.
public enum Goal: Sendable, CustomStringConvertible {
    /// At most one `n`th of the peer's.
    case oneNth(Double, of: Peer, Measure)
    case atMost(Int, Measure)
    /// At most a tenth above our figure in another row.
    case noMoreThan(row: String, Measure)
    /// At most so many times our figure in another row.
    case times(Double, row: String, Measure)

    /// A form for `Benchmarks/run` to read.
    public var description: String {
        switch self {
        case .oneNth(let n, let peer, let measure): "\(measure.rawValue):nth:\(n):\(peer.rawValue)"
        case .atMost(let most, let measure): "\(measure.rawValue):most:\(most)"
        case .noMoreThan(let row, let measure): "\(measure.rawValue):row:\(row)"
        case .times(let times, let row, let measure): "\(measure.rawValue):times:\(times):\(row)"
        }
    }
}

/// A line of the table.
public struct Row: Sendable {
    /// What the workloads are called by, after their peer.
    public let name: String
    /// What the table prints.
    public let title: String
    /// What is measured.
    public let measures: [Measure]
    /// Deliveries that one event makes; figures are given for one.
    public let deliveries: Int
    /// How often it is run under callgrind and behind the counting malloc.
    public let count: Int
    /// How often it is run for one measurement of time; nil for as often as fills some milliseconds.
    public let timed: Int?
    /// What is required.
    public let must: [Goal]
    /// What is hoped for.
    public let aim: [Goal]
    /// The work, for each peer that has it.
    public let workloads: [Peer: Prepare]

    init(
        _ name: String, _ title: String, measures: [Measure] = [.time, .instructions, .allocations],
        deliveries: Int = 1, count: Int = 4_000, timed: Int? = nil, must: [Goal] = [], aim: [Goal] = [],
        rs: Prepare? = nil, oc: Prepare? = nil, aa: Prepare? = nil, floor: Prepare? = nil
    ) {
        self.name = name
        self.title = title
        self.measures = measures
        self.deliveries = deliveries
        self.count = count
        self.timed = timed
        self.must = must
        self.aim = aim
        workloads = [Peer: Prepare](
            uniqueKeysWithValues: [
                (Peer.reactiveSignals, rs), (.openCombine, oc), (.asyncAlgorithms, aa), (.floor, floor),
            ].compactMap { peer, prepare in prepare.map { (peer, $0) } })
    }

    /// How many measurements of time the median is of.
    public var iterations: Int { timed == nil ? 15 : 7 }

    /// One line for `Benchmarks/run` to read.
    public var description: String {
        [
            name, title, measures.map(\.rawValue).joined(separator: " "), "\(deliveries)", "\(count)",
            must.map(\.description).joined(separator: " "), aim.map(\.description).joined(separator: " "),
            Peer.allCases.filter { workloads[$0] != nil }.map(\.rawValue).joined(separator: " "),
        ].joined(separator: "\t")
    }

    /// Sets the workload called `PEER-ROW` up.
    public static func prepare(_ workload: String) -> Run? {
        for row in table {
            for (peer, prepare) in row.workloads where "\(peer.rawValue)-\(row.name)" == workload {
                return prepare()
            }
        }
        return OperatorWorkloads.table.first { "operator-\($0.name)" == workload }?.prepare()
    }

    /// The operators that have a workload, `operator-NAME`, beside those of the rows; and what each is compared with.
    public static var operators: [(name: String, base: String?)] { OperatorWorkloads.table.map { ($0.name, $0.base) } }
}
