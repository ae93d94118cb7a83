/// A sparkline of one value over time, and how to colour it.
struct Graph {
    var label = ""
    var values: [Double]
    /// The value that reaches the top, or nil for the highest one that is visible.
    var top: Double?
    var tone: Tone
    /// The levels from which on a column is drawn in the tone of caution and of danger.
    var levels: AlertRule?

    /// A graph of bytes a second, which know no upper limit.
    static func rates(_ values: [Double], _ label: String, _ tone: Tone) -> Graph {
        Graph(label: label, values: values, top: nil, tone: tone, levels: nil)
    }

    var latest: Double { values.last ?? 0 }

    /// The highest value among those that so many columns show.
    func peak(columns: Int) -> Double { values.suffix(columns).max() ?? 0 }

    func drawing(rows: Int, columns: Int) -> [StyledLine] {
        // Without a lower limit, a packet now and then would look like a storm.
        let top = top ?? max(peak(columns: columns), 1024)
        let drawn = Sparkline.rows(values, width: columns, height: rows, top: top)
        let shown = values.suffix(columns)
        return drawn.map { row in
            var line = StyledLine(String(row.prefix(columns - shown.count)))
            for (character, value) in zip(row.suffix(shown.count), shown) {
                line.append(String(character), character == Sparkline.zero ? .faint : tone(of: value))
            }
            return line
        }
    }

    private func tone(of value: Double) -> Tone {
        guard let levels else { return tone }
        return value >= levels.raiseAt ? .danger : value >= levels.clearBelow ? .caution : tone
    }
}

extension Tone {
    /// The tone of a share of something that can run out.
    static func level(_ share: Double) -> Tone {
        share >= AlertRule.cpu.raiseAt ? .danger : share >= AlertRule.cpu.clearBelow ? .caution : .good
    }
}
