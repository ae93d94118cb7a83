import Foundation
import ReactiveDiagnostics
import TopProtocol

/// The list of streams as lines.
package enum TopTable {
    // The name comes last, because it has any length. The columns before it leave 30 columns of 80.
    static func title(_ sort: SortKey) -> String {
        columns(
            "ID", "KIND", mark("RATE", sort == .rate), mark("AGE", sort == .age), mark("DEPTH", sort == .depth),
            mark("WAIT", sort == .waiting), "FLIGHT+") + "NAME"
    }

    static func groupTitle(_ sort: SortKey) -> String {
        columns(
            mark("NUMBER", sort == .count), "KIND", mark("RATE", sort == .rate), mark("AGE", sort == .age),
            mark("DEPTH", sort == .depth), mark("WAIT", sort == .waiting), "FLIGHT+", "MORE") + "NAME"
    }

    private static func mark(_ title: String, _ isSorted: Bool) -> String { isSorted ? "\(title)*" : title }

    static func line(_ row: StreamRow) -> String {
        var depth = row.depth.map { "\($0)" } ?? "-"
        if let limit = row.limit { depth += "/\(limit)" }
        let flight = flight(row.delivers, isDelivering: row.owner != nil)
        let rate: String = row.rate.map(TopScreen.number) ?? "-"
        let beginning = columns(
            "#\(row.id)", row.kind.rawValue, rate, TopScreen.age(row.age), depth, "\(row.waiting)", flight)
        return beginning + name(row)
    }

    static func line(_ group: StreamGroup) -> String {
        let more = group.more
        let rate: String = group.rate.map(TopScreen.number) ?? "-"
        let depth: String = group.depth.map { "\($0)" } ?? "-"
        let beginning = columns(
            "\(group.count)", group.row.kind.rawValue, rate, TopScreen.age(group.age), depth, "\(group.waiting)",
            flight(group.delivers, isDelivering: group.isDelivering), more > 0 ? "+\(more)" : "\(more)")
        return beginning + name(group.row)
    }

    private static func flight(_ duration: Double?, isDelivering: Bool) -> String {
        duration.map(TopScreen.age) ?? (isDelivering ? "now" : "-")
    }

    /// The name and the place, without the module, which would leave no room for the line.
    static func name(_ row: StreamRow) -> String {
        let place = row.file.map { " (\($0.split(separator: "/").last ?? ""):\(row.line ?? 0))" } ?? ""
        return (row.name + place).printable
    }

    private static func columns(
        _ id: String, _ kind: String, _ rate: String, _ age: String, _ depth: String, _ waiting: String,
        _ flight: String, _ more: String? = nil
    ) -> String {
        func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        let padding = String(repeating: " ", count: max(0, 8 - kind.count))
        var columns: [String] = [
            right(id, 7), kind + padding, right(rate, 7), right(age, 7), right(depth, 7), right(waiting, 5),
            right(flight, 7),
        ]
        if let more { columns.append(right(more, 6)) }
        columns.append("")
        return columns.joined(separator: " ")
    }

    /// All that `--once` prints: the warnings, and the streams.
    ///
    /// - Parameter limit: The maximum number of streams.
    package static func once(_ model: TopModel, _ state: TopState, limit: Int) -> String {
        var lines: [String] = []
        let picture = model.picture
        let age = TopScreen.age(picture?.time ?? 0)
        let hidden = state.hidden(model)
        lines.append(
            "\(model.greeting.program) (\(model.greeting.process)), up \(age), \((picture?.total ?? 0).of("stream"))"
                + (hidden > 0 ? ", \(hidden) of the library hidden (--all shows them)" : ""))
        for block in model.warnings {
            lines += block.enumerated().map { "\($0 == 0 ? "warning:" : "    and:") \($1.printable)" }
        }
        lines += model.growing.map { "growing: \($0.growth)" }
        if state.isGrouped {
            lines.append(groupTitle(state.sort))
            for group in state.groups(model).prefix(limit) { lines.append(line(group)) }
        } else {
            lines.append(title(state.sort))
            for row in state.rows(model).prefix(limit) { lines.append(line(row)) }
        }
        if lines.last == title(state.sort) || lines.last == groupTitle(state.sort) {
            lines.append(state.filter.isEmpty ? "no streams" : "no stream passes the filter")
        }
        return lines.map(\.printable).joined(separator: "\n")
    }
}
