import Foundation
import ReactiveDiagnostics
package import TopProtocol

/// What the terminal shows: a function of what is known, the state, and the size.
package struct TopScreen: Sendable {
    /// As many as the terminal is high, none wider than the terminal.
    package let lines: [String]
    /// The index of the line that is highlighted.
    package let highlighted: Int?

    package init(_ model: TopModel, _ state: TopState, width: Int, height: Int) {
        let width = max(20, width)
        let height = max(6, height)
        var lines = Self.header(model, state)
        // Less than half of the screen, so that the list stays visible.
        if state.view != .warnings, state.view != .help {
            lines += Self.warnings(model, width, atMost: max(3, height * 2 / 5))
        }
        let footer = Self.footer(state)
        let room = height - lines.count - 1
        var highlighted: Int?
        switch state.view {
        case .list:
            let (rows, selected) = Self.list(model, state, width, room)
            highlighted = selected.map { $0 + lines.count }
            lines += rows
        case .tree(let id): lines += Self.part(Self.tree(id, model), from: state.scroll, room)
        case .events(let id): lines += Self.events(id, model, state, room)
        case .warnings:
            let growing = model.growing.flatMap { Self.text($0.growth, width) }
            let blocks = model.warnings.flatMap { block in
                Self.text(block[0], width) + block.dropFirst().flatMap { Self.text($0, width, mark: "+") }
            }
            let all = blocks + growing
            let text = all.isEmpty ? ["no warnings"] : all
            lines += Self.part(text, from: state.scroll, room)
        case .help: lines += Self.part(Self.help, from: state.scroll, room)
        }
        lines = Array(lines.prefix(height - 1))
        while lines.count < height - 1 { lines.append("") }
        lines.append(footer)
        self.lines = lines.map { $0.printable.cut(to: width) }
        self.highlighted = highlighted
    }

    // MARK: Parts

    private static func header(_ model: TopModel, _ state: TopState) -> [String] {
        let picture = model.picture
        var line = "\(model.greeting.program) (\(model.greeting.process))"
        if let picture {
            line += "  up \(age(picture.time))  \(picture.total.of("stream"))"
            if picture.total > picture.nodes.count { line += ", \(picture.nodes.count) shown" }
            line += "  \(picture.warnings.count.of("warning"))"
            let hidden = state.hidden(model)
            if hidden > 0 { line += "  \(hidden) hidden (l)" }
        } else {
            line += "  waiting for the first snapshot"
        }
        if state.isPaused { line += "  PAUSED" }
        return [line]
    }

    /// The most telling warning about each stream, wrapped to the width, as far as there is room.
    private static func warnings(
        _ model: TopModel, _ width: Int, atMost limit: Int
    ) -> [String] {
        var texts = model.warnings.map { $0[0] }
        let growing = model.growing
        if let most = growing.first { texts.insert("\(most.growth): press n", at: min(1, texts.count)) }
        var lines: [String] = []
        var shown = 0
        for text in texts {
            let text = Self.text(text, width)
            if lines.count + text.count > limit - 1 { break }
            lines += text
            shown += 1
        }
        let left = (model.picture?.warnings.count ?? 0) + growing.count - shown
        if left > 0 { lines.append("! and \(left.of("more warning")): press !") }
        return lines
    }

    private static func text(_ warning: String, _ width: Int, mark: String = "!") -> [String] {
        "\(mark) \(warning.printable)".wrapped(to: width)
    }

    private static func footer(_ state: TopState) -> String {
        if let message = state.message { return message }
        if state.isEditingFilter { return "filter: \(state.filter)_   (enter: keep, esc: clear)" }
        return switch state.view {
        case .list: "q quit  r/a/d/w sort  n number  / filter  g group  enter tree  f follow  ? help"
        case .tree: "q quit  esc back  f follow  j/k scroll"
        case .warnings: "q quit  esc back  j/k scroll"
        case .events: "q quit  esc back"
        case .help: "q quit  esc back"
        }
    }

    // MARK: The list

    private static func list(
        _ model: TopModel, _ state: TopState, _ width: Int, _ room: Int
    ) -> (lines: [String], highlighted: Int?) {
        var title = state.isGrouped ? TopTable.groupTitle(state.sort) : TopTable.title(state.sort)
        if !state.filter.isEmpty { title += "  (filter: \(state.filter.printable))" }
        let groups = state.isGrouped ? state.groups(model) : []
        let rows = state.isGrouped ? [] : state.rows(model)
        let count = groups.count + rows.count
        if count == 0 { return ([title, state.filter.isEmpty ? "no streams" : "no stream passes the filter"], nil) }
        let visible = max(1, room - 1)
        let selection = min(state.selection, count - 1)
        let first = max(0, min(selection - visible / 2, count - visible))
        let shown = first..<min(count, first + visible)
        var lines = [title]
        for index in shown { lines.append(state.isGrouped ? TopTable.line(groups[index]) : TopTable.line(rows[index])) }
        return (lines, selection - first + 1)
    }

    // MARK: One stream

    /// What the stream is derived from, the stream, and what is derived from it.
    private static func tree(_ id: UInt64, _ model: TopModel) -> [String] {
        let byID = model.rows.reduce(into: [:]) { $0[$1.id] = $1 }
        guard let row = byID[id] else { return ["the stream #\(id) has ended"] }
        var children: [UInt64: [StreamRow]] = [:]
        for row in model.rows { for parent in row.parents { children[parent, default: []].append(row) } }
        // Up along the first parents. Ends also if there is a cycle.
        var ancestors: [StreamRow] = []
        var isShown: Set<UInt64> = [id]
        var next = row.parents.first
        while let parent = next.flatMap({ byID[$0] }), isShown.insert(parent.id).inserted {
            ancestors.append(parent)
            next = parent.parents.first
        }
        var lines: [String] = []
        var depth = 0
        for ancestor in ancestors.reversed() {
            lines.append(treeLine(ancestor, depth))
            depth += 1
        }
        var pending = [(row, depth)]
        isShown.remove(id)
        while let (row, depth) = pending.popLast() {
            guard isShown.insert(row.id).inserted else { continue }
            lines.append(treeLine(row, depth, isMarked: row.id == id))
            for child in (children[row.id] ?? []).reversed() { pending.append((child, depth + 1)) }
        }
        for wait in model.picture?.waits ?? [] where wait.node == id {
            let name = wait.threadName.map { " (\($0.printable))" } ?? ""
            let thread = "thread 0x\(String(wait.thread, radix: 16))\(name)"
            let subject = wait.kind == .thread ? thread : "\(wait.kind.rawValue) that began on \(thread)"
            let owner = wait.owner.map { ", for thread 0x\(String($0, radix: 16))" } ?? ""
            lines.append("  \(subject) has waited \(age(wait.duration / .seconds(1)))\(owner)")
        }
        return lines
    }

    private static func treeLine(_ row: StreamRow, _ depth: Int, isMarked: Bool = false) -> String {
        var parts = ["\(row.kind) \(row.name.printable) #\(row.id)"]
        if let file = row.file { parts[0] += " (\(file.printable):\(row.line ?? 0))" }
        parts.append(age(row.age))
        if let rate = row.rate { parts.append("\(number(rate))/s") }
        if let changes = row.changes { parts.append(Int(clamping: changes).of("change")) }
        if let place = row.startPlace, place.fileID != row.file || place.line != row.line {
            parts.append("started at \(place.description.printable)")
        }
        if let observers = row.observers {
            let places = row.observerPlaces.map { " at " + $0.map(\.description.printable).joined(separator: " and ") }
            parts.append(observers.of("observer") + (places ?? ""))
        }
        if row.kind == .buffer {
            let limit = row.limit.map { "\($0)" } ?? "any number"
            parts.append("depth \(row.depth ?? 0) of \(limit)")
        }
        if row.kind == .action { parts.append("\(row.depth ?? 0) running") }
        if row.waiting > 0 { parts.append("\(row.waiting) waiting") }
        if let owner = row.owner {
            let duration = row.delivers.map { " for \(age($0))" } ?? ""
            parts.append("thread \(owner) delivers\(duration)")
        }
        let indent = String(repeating: "  ", count: min(depth, 12))
        return (isMarked ? "> " : "  ") + indent + parts.joined(separator: ", ")
    }

    private static func events(_ id: UInt64, _ model: TopModel, _ state: TopState, _ room: Int) -> [String] {
        let name = model.rows.first { $0.id == id }.map(\.name.printable) ?? "a stream that has ended"
        var title = "events of \(name) #\(id)"
        if !model.greeting.hasValues { title += " (the server does not show values)" }
        if state.dropped > 0 { title += ", \(state.dropped) not shown" }
        let shown = max(0, min(room - 1, state.events.count))
        var lines = [title]
        if state.events.isEmpty { lines.append("no event since you follow this stream") }
        for item in state.events.suffix(shown) { lines.append(line(item)) }
        return lines
    }

    /// An event as a line.
    package static func line(_ item: TopProtocol.Events.Item) -> String {
        let time = String(format: "%12.3f", item.time)
        return "\(time)  \(item.kind.rawValue)\(item.text.map { " \($0.printable)" } ?? "")"
    }

    private static func part(_ lines: [String], from scroll: Int, _ room: Int) -> [String] {
        Array(lines.dropFirst(min(scroll, max(0, lines.count - room))).prefix(room))
    }

    private static let help = """
        r a d w     sort by rate, age, depth, waiting
        g           show streams of the same name as one; n: sort these by their number
        l           show or hide the streams that the library makes for itself
        /           show only streams whose name, file:line or #id contains a text
        up down     select (also k and j)
        enter       the tree of the selected stream (also t)
        f           follow the events of the selected stream, with an observer of its own
        !           all warnings
        R           begin and end a recording of events, if the server allows it
        p           pause
        esc         back, and in the list: clear the filter
        q           quit

        RATE   how often a property is set, per second
        AGE    since it was made
        DEPTH  values in a queue and their limit; executions of an action that run
        WAIT   threads, tasks and executions that wait for it
        FLIGHT for how long its thread has delivered one event, at least: since
               the first snapshot that has seen it
        NUMBER streams of the same name, and in MORE how many more than at first
        """.components(separatedBy: "\n")

    // MARK: Numbers

    /// `12.5`, `340`, `1.2M`
    static func number(_ value: Double) -> String {
        switch value {
        case ..<0.05: "0"
        case ..<100: String(format: "%.1f", value)
        case ..<100_000: String(format: "%.0f", value)
        case ..<100_000_000: String(format: "%.1fM", value / 1_000_000)
        default: String(format: "%.0fM", value / 1_000_000)
        }
    }

    /// `3.2 s`, `12 min`, `5.0 h`, `3.1 d`
    static func age(_ seconds: Double) -> String {
        switch seconds {
        case ..<600: String(format: "%.1f s", seconds)
        case ..<36_000: String(format: "%.0f min", (seconds / 60).rounded(.down))
        case ..<360_000: String(format: "%.1f h", seconds / 3_600)
        default: String(format: "%.1f d", seconds / 86_400)
        }
    }
}

extension Int {
    /// `1 stream`, `2 streams`
    func of(_ thing: String) -> String { "\(self) \(thing)\(self == 1 ? "" : "s")" }
}
