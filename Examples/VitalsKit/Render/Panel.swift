import ExamplesKit

/// Some rows of the dashboard: a title with figures, and one or two graphs next to each other below it.
struct Panel {
    var name: String
    /// A share to show as a bar in the title.
    var gauge: Double?
    /// What the title says after the gauge or the rates, the most important first.
    var details: [(text: String, tone: Tone)]
    var graphs: [Graph]

    func lines(rows: Int, columns: Int) -> [StyledLine] {
        if rows < 2 { return [compact(columns: columns)] }
        // A blank row sets a panel off from the next, where that leaves enough of a graph.
        let graphRows = rows >= 5 ? rows - 2 : rows - 1
        let blank = rows >= 5 ? [StyledLine()] : []
        return [title(columns: columns)] + drawing(rows: graphRows, columns: columns) + blank
    }

    /// A panel of a single row: name, figures, and a graph in the columns that are left.
    private func compact(columns: Int) -> StyledLine {
        var line = heading(width: columns < 40 ? 4 : 9)
        if let gauge {
            line.append(Format.percent(gauge).padded(toWidth: 6), Tone.level(gauge))
        } else {
            for graph in graphs {
                let label = columns < 40 ? String(graph.label.prefix(1)) : graph.label + " "
                line.append(label, .faint)
                line.append(Format.shortBytes(graph.latest).padded(toWidth: 6), graph.tone)
                line.append(" ")
            }
        }
        guard columns - line.width > 3, let graph = graphs.first else { return line }
        line.append(" ")
        line.append(graph.drawing(rows: 1, columns: columns - line.width).first ?? StyledLine())
        return line
    }

    private func title(columns: Int) -> StyledLine {
        var line = heading(width: 9)
        if let gauge {
            line.append(Format.percent(gauge).padded(toWidth: 6) + " ", Tone.level(gauge))
            line.append(Sparkline.bar(gauge, width: min(max(columns / 8, 4), 40)), Tone.level(gauge))
            append(details, to: &line, columns: columns)
            return line
        }
        let width = graphColumns(of: columns)
        for (index, graph) in graphs.enumerated() {
            var cell = index == 0 ? line : StyledLine()
            cell.append("\(graph.label) ", .faint)
            // A figure that is cut off would be a wrong one.
            let rate = Format.rate(graph.latest)
            let fits = cell.width + rate.count <= width
            cell.append(fits ? rate : Format.shortBytes(graph.latest), graph.tone)
            cell.append("  peak \(Format.rate(graph.peak(columns: width)))", .faint, ifFits: width)
            if index == graphs.count - 1 {
                append(details, to: &cell, columns: width)
                line.append(cell)
            } else {
                line = cell.fitted(to: width)
                line.append("  ")
            }
        }
        return line
    }

    private func heading(width: Int) -> StyledLine {
        let name = width < name.count + 1 ? String(name.prefix(width - 1)) : name
        return StyledLine(name + String(repeating: " ", count: width - name.count), .title)
    }

    private func append(_ details: [(text: String, tone: Tone)], to line: inout StyledLine, columns: Int) {
        for detail in details {
            // A later one that is shorter must not take the place of one that is more important.
            guard line.width + 2 + detail.text.count <= columns else { return }
            line.append("  " + detail.text, detail.tone)
        }
    }

    private func drawing(rows: Int, columns: Int) -> [StyledLine] {
        let width = graphColumns(of: columns)
        let drawings = graphs.map { $0.drawing(rows: rows, columns: width) }
        return (0..<rows).map { row in
            var line = StyledLine()
            for drawing in drawings {
                line.append(line.width == 0 ? "" : "  ")
                line.append(drawing[row])
            }
            return line
        }
    }

    private func graphColumns(of columns: Int) -> Int {
        max((columns - 2 * (graphs.count - 1)) / max(graphs.count, 1), 1)
    }
}
