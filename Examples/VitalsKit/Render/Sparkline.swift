/// Graphs out of block characters, the newest value at the right.
enum Sparkline {
    /// The glyphs by how many eighths of a row they fill.
    private static let glyphs: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// What shows that a value was zero, where a blank would look as if there had been none.
    static let zero: Character = "."

    /// Rows from top to bottom, each exactly `width` characters wide.
    ///
    /// A value of `top` fills a column, one above zero shows at least an eighth of a row, zero a dot. Columns without a
    /// value are blank.
    static func rows(_ values: some Collection<Double>, width: Int, height: Int, top: Double) -> [String] {
        guard width > 0, height > 0 else { return Array(repeating: "", count: max(height, 0)) }
        let eighths = values.suffix(width).map { value in
            let share = top > 0 && value.isFinite ? min(max(value / top, 0), 1) : 0
            let full = Double(height * 8)
            return share > 0 ? max(Int((share * full).rounded()), 1) : 0
        }
        let blank = String(repeating: " ", count: width - eighths.count)
        return (0..<height).reversed().map { row in
            blank + String(eighths.map { $0 == 0 && row == 0 ? zero : glyphs[min(max($0 - row * 8, 0), 8)] })
        }
    }

    /// A single row.
    static func row(_ values: some Collection<Double>, width: Int, top: Double) -> String {
        rows(values, width: width, height: 1, top: top).joined()
    }

    /// A horizontal bar that fills `share` of its width, in eighths of a column.
    static func bar(_ share: Double, width: Int) -> String {
        guard width > 0 else { return "" }
        let eighths = Int(((share.isFinite ? min(max(share, 0), 1) : 0) * Double(width * 8)).rounded())
        let partial: [Character] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        let full = String(repeating: "█", count: eighths / 8)
        let bar = eighths % 8 == 0 ? full : full + String(partial[eighths % 8])
        return bar + String(repeating: "·", count: width - bar.count)
    }
}
