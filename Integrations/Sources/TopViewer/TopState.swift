import Foundation
package import TopProtocol

/// By what the list of streams is sorted, the greatest first.
package enum SortKey: String, CaseIterable, Codable, Sendable {
    case rate, age, depth, waiting
    /// How many there are with the same name. Only in groups, and otherwise the same as by rate.
    case count
}

/// What the user of the viewer sees.
package struct TopState: Sendable, Equatable {
    package enum View: Sendable, Equatable {
        case list
        /// What the stream is derived from, and what is derived from it.
        case tree(UInt64)
        /// The events of the stream.
        case events(UInt64)
        case warnings, help
    }

    package var view = View.list
    package var sort = SortKey.waiting
    package var filter = ""
    package var isEditingFilter = false
    package var isGrouped = false
    /// Whether the list shows the streams of the library.
    package var showsLibrary = false
    package var isPaused = false
    /// The position of the selected row, and of the first line that is shown.
    package var selection = 0
    package var scroll = 0
    /// The last events of the stream that is followed.
    package var events: [TopProtocol.Events.Item] = []
    package var dropped = 0
    /// What has gone wrong last, or what has become of a recording.
    package var message: String?
    /// Whether the server is recording, as far as it has said.
    package private(set) var isRecording = false

    package init(
        sort: SortKey = .waiting, filter: String = "", isGrouped: Bool = false, showsLibrary: Bool = false
    ) {
        (self.sort, self.filter, self.isGrouped, self.showsLibrary) = (sort, filter, isGrouped, showsLibrary)
    }

    /// How many events are kept.
    package static let eventLimit = 500

    /// What a key makes the viewer do besides changing its state.
    package enum Action: Sendable, Equatable {
        case quit
        case follow(UInt64)
        case unfollow
        case record, stopRecording
    }

    /// Handles a key.
    ///
    /// - Parameters:
    ///   - height: The height of the terminal.
    package mutating func press(_ key: Key, _ model: TopModel, height: Int = 24) -> Action? {
        if isEditingFilter { return edit(key) }
        message = nil
        switch key {
        case .character("q"), .interrupt: return .quit
        case .escape, .left: return back()
        case .character("?"), .character("h"): view = view == .help ? .list : .help
        case .character("!"): (view, scroll) = (view == .warnings ? .list : .warnings, 0)
        case .character("p"): isPaused.toggle()
        case .character("R"):
            if model.greeting.canRecord == true { return isRecording ? .stopRecording : .record }
            message = TopClient.cannotRecord
        case .up, .character("k"): move(-1)
        case .down, .character("j"): move(1)
        case .pageUp: move(-max(1, height - 8))
        case .pageDown: move(max(1, height - 8))
        case .home: (selection, scroll) = (0, 0)
        default: if view == .list { return pressInList(key, model) } else if key == .character("f") { return follow() }
        }
        return nil
    }

    private mutating func pressInList(_ key: Key, _ model: TopModel) -> Action? {
        switch key {
        // What is sorted by is looked for at the top.
        case .character("r"): (sort, selection) = (.rate, 0)
        case .character("a"): (sort, selection) = (.age, 0)
        case .character("d"): (sort, selection) = (.depth, 0)
        case .character("w"): (sort, selection) = (.waiting, 0)
        case .character("n"): (sort, isGrouped, selection) = (.count, true, 0)
        case .character("g"): (isGrouped, selection) = (!isGrouped, 0)
        case .character("l"): (showsLibrary, selection) = (!showsLibrary, 0)
        case .character("/"): isEditingFilter = true
        case .enter, .right, .character("t"):
            if let id = selected(model) { (view, scroll) = (.tree(id), 0) }
        case .character("f"):
            if let id = selected(model) {
                (view, scroll, events, dropped) = (.events(id), 0, [], 0)
                return .follow(id)
            }
        default: break
        }
        return nil
    }

    private mutating func follow() -> Action? {
        guard case .tree(let id) = view else { return nil }
        (view, scroll, events, dropped) = (.events(id), 0, [], 0)
        return .follow(id)
    }

    private mutating func back() -> Action? {
        defer { (view, scroll) = (.list, 0) }
        switch view {
        case .events: return .unfollow
        case .list:
            filter = ""
            return nil
        case .tree, .warnings, .help: return nil
        }
    }

    private mutating func move(_ distance: Int) {
        if view == .list { selection = max(0, selection + distance) } else { scroll = max(0, scroll + distance) }
    }

    private mutating func edit(_ key: Key) -> Action? {
        switch key {
        case .interrupt: return .quit
        case .enter: isEditingFilter = false
        case .escape: (isEditingFilter, filter) = (false, "")
        case .backspace: _ = filter.popLast()
        case .character(let character): filter.append(character)
        default: break
        }
        selection = 0
        return nil
    }

    /// The stream of the selected row.
    package func selected(_ model: TopModel) -> UInt64? {
        let ids = isGrouped ? groups(model).map(\.row.id) : rows(model).map(\.id)
        return ids.isEmpty ? nil : ids[min(selection, ids.count - 1)]
    }

    /// Adds events of the stream that is followed.
    package mutating func receive(_ new: TopProtocol.Events) {
        guard view == .events(new.node) else { return }
        events = Array((events + new.items).suffix(Self.eventLimit))
        dropped += new.dropped
    }

    /// Notes what has become of a recording.
    package mutating func receive(_ recording: TopProtocol.Recording) {
        isRecording = recording.ending == nil
        message = "\(recording)\(isRecording ? "   (R: end it)" : "")"
    }

    // MARK: What the list shows

    /// The rows that pass the filter, sorted.
    package func rows(_ model: TopModel) -> [StreamRow] {
        var rows: [(row: StreamRow, weight: Double)] = []
        for row in model.rows where passes(row, model) { rows.append((row, row.weight(sort))) }
        rows.sort { $0.weight == $1.weight ? $0.row.id < $1.row.id : $0.weight > $1.weight }
        return rows.map(\.row)
    }

    package func groups(_ model: TopModel) -> [StreamGroup] {
        var groups: [(group: StreamGroup, weight: Double)] = []
        for group in model.groups where passes(group.row, model) { groups.append((group, group.weight(sort))) }
        groups.sort { $0.weight == $1.weight ? $0.group.row.id < $1.group.row.id : $0.weight > $1.weight }
        return groups.map(\.group)
    }

    /// How many streams are left out because they are those of the library.
    package func hidden(_ model: TopModel) -> Int { model.rows.count { isHidden($0, model) } }

    private func isHidden(_ row: StreamRow, _ model: TopModel) -> Bool {
        !showsLibrary && row.isOfLibrary && !model.named.contains(row.id)
    }

    private func passes(_ row: StreamRow, _ model: TopModel) -> Bool {
        if isHidden(row, model) { return false }
        if filter.isEmpty { return true }
        let place = row.file.map { " (\($0):\(row.line ?? 0))" } ?? ""
        return "\(row.name.printable)\(place) #\(row.id)".localizedCaseInsensitiveContains(filter)
    }
}

extension StreamRow {
    fileprivate func weight(_ key: SortKey) -> Double {
        switch key {
        case .rate, .count: rate ?? -1
        case .age: age
        case .depth: Double(depth ?? -1)
        case .waiting: Double(waiting) + (delivers.map { $0 / ($0 + 1) } ?? 0)
        }
    }
}

extension StreamGroup {
    fileprivate func weight(_ key: SortKey) -> Double {
        switch key {
        case .rate: rate ?? -1
        case .age: age
        case .depth: Double(depth ?? -1)
        case .waiting: Double(waiting)
        case .count: Double(count)
        }
    }
}
