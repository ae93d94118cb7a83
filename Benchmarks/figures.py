#!/usr/bin/env python3
"""Draws the chart, and writes the tables of figures in README.md and Benchmarks/README.md.

usage: Benchmarks/figures.py [--check]

  --check  change nothing, and fail if the chart or a table does not show the results

The figures are in results.json, which `Benchmarks/run --chart` measures, and in counted-once.json, which nobody
measures again. The chart is figures.svg.
"""

import datetime
import json
import math
import pathlib
import sys
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
COUNTED_ONCE = HERE / "counted-once.json"
CHART = HERE / "figures.svg"

# Each peer: its name in the chart, its head in a table, and the class of its bars.
PEERS = {
    "rs": ("ReactiveSignals", "ReactiveSignals", "ours"),
    "oc": ("OpenCombine", "OpenCombine 0.14", "swift"),
    "aa": ("AsyncChannel", "`AsyncChannel` 1.1", "swift"),
    "reactiveswift": ("ReactiveSwift †", "ReactiveSwift 7.2 †", "once"),
    "rxswift": ("RxSwift †", "RxSwift 6.10 †", "once"),
    "boost": ("boost::signals2", "boost::signals2", "other"),
    "sigc": ("sigc++ ‡", "sigc++ ‡", "other"),
    "broadcast": ("tokio broadcast", "tokio `broadcast`", "other"),
    "watch": ("tokio watch", "tokio `watch`", "other"),
}

SWIFT_PEERS = ["rs", "reactiveswift", "rxswift", "oc", "aa"]
# README leaves AsyncChannel out: it hands an element from task to task, where the others call closures.
CALLING_PEERS = [peer for peer in SWIFT_PEERS if peer != "aa"]
OTHER_PEERS = ["rs", "boost", "sigc", "broadcast", "watch"]

# The columns of the chart, each with its panels: a row of the benchmarks, and its title.
PANELS = [
    [("one", "One event to one observer"), ("map-filter-map", "One event through map, filter, map"),
     ("value", "One request: make and start a producer of one value")],
    [("thousand", "One event to 1,000 observers, per delivery"), ("set", "Set a property with an observer"),
     ("read", "Read a property"), ("observe-dispose", "Observe and dispose")],
]

# The tables: the file, the peers, and the rows with their titles. A file has at most one table for the same peers.
TABLES = [
    (HERE.parent / "README.md", CALLING_PEERS, [
        ("sequence", "an array element through `map`, `filter`, `reduce`"),
        ("value", "make and start a producer of one value"),
        ("zip", "`zip` of two"),
        ("memory", "heap blocks of a signal with an observer"),
    ]),
    (HERE / "README.md", SWIFT_PEERS, [
        ("one", "an event to one observer"),
        ("ten", "an event to 10 observers, per delivery"),
        ("thousand", "an event to 1,000 observers, per delivery"),
        ("map-filter-map", "through `map`, `filter`, `map`"),
        ("sequence", "an array element through `map`, `filter`, `reduce`"),
        ("value", "make and start a producer of one value"),
        ("zip", "`zip` of two"),
        ("set", "set a property with an observer"),
        ("read", "read a property"),
        ("observe-dispose", "observe and dispose"),
        ("memory", "heap blocks of a signal with an observer"),
    ]),
    (HERE / "README.md", OTHER_PEERS, [
        ("one", "an event to one observer"),
        ("ten", "an event to 10 observers, per delivery"),
        ("thousand", "an event to 1,000 observers, per delivery"),
        ("observe-dispose", "observe and dispose"),
        ("observe-dispose-1000", "observe and dispose, among 1,000 observers"),
        ("set", "set a property with an observer"),
        ("read", "read a property"),
    ]),
]

# In English, whatever the language of the user.
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December"]

# The rows that `Benchmarks/run --chart` measures.
ROWS = {row for column in PANELS for row, _ in column} | {row for _, _, rows in TABLES for row, _ in rows}


class Figures:
    """The measured figures, and those counted once."""

    def __init__(self):
        self.measured = json.loads(RESULTS.read_text())
        self.once = json.loads(COUNTED_ONCE.read_text())

    def of(self, row):
        """Returns a dictionary from peers to figures."""
        found = {}
        for source in (self.measured, self.once):
            for measure in ("instructions", "blocks"):
                found.update(source[measure].get(row, {}))
        return found


def day(date):
    date = datetime.date.fromisoformat(date)
    return f"{date.day} {MONTHS[date.month - 1]} {date.year}"


def number(value):
    return f"{value:,.0f}"


# The chart, in pixels. Names are to the left of the bars, and values to their right.
WIDTH, MARGIN, GAP = 920, 24, 40
TOP, TITLE, BAR, SPACE, AFTER = 116, 26, 14, 8, 22
NAMES, VALUES = 130, 20
COLUMN = (WIDTH - 2 * MARGIN - GAP) / 2
LOWEST, HIGHEST = 10, 100_000

STYLE = """
    text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
    .title { font-size: 19px; font-weight: 600; }
    .panel, .bold { font-weight: 600; }
    .value { stroke: #ffffff; stroke-width: 4px; paint-order: stroke; }
    .note, .tick { fill: #59636e; }
    .tick { font-size: 11px; }
    .page { fill: #ffffff; }
    .line { stroke: #d8dee4; }
    .ours { fill: #0969da; }
    .swift { fill: #8b949e; }
    .once { fill: url(#hatch); stroke: #8b949e; }
    .hatch { stroke: #8b949e; }
    .other { fill: #bc6a1f; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc; }
      .note, .tick { fill: #a3acb6; }
      .value { stroke: #0d1117; }
      .page { fill: #0d1117; }
      .line { stroke: #30363d; }
      .ours { fill: #58a6ff; }
      .swift { fill: #7d8590; }
      .once { stroke: #7d8590; }
      .hatch { stroke: #7d8590; }
      .other { fill: #d9822b; }
    }"""


class Drawing:
    def __init__(self):
        self.lines = []

    def add(self, line):
        self.lines.append("  " + line)

    def text(self, x, y, text, style="", anchor=""):
        style = f' class="{style}"' if style else ""
        anchor = f' text-anchor="{anchor}"' if anchor else ""
        self.add(f'<text x="{x:g}" y="{y:g}"{style}{anchor}>{escape(text)}</text>')

    def bar(self, x, y, width, style):
        self.add(f'<rect x="{x:g}" y="{y:g}" width="{width:.1f}" height="{BAR}" rx="1.5" class="{style}"/>')


def along(value):
    """Returns how far from the left end of the scale a value is, in pixels."""
    share = math.log(max(value, LOWEST) / LOWEST) / math.log(HIGHEST / LOWEST)
    return share * (COLUMN - NAMES - VALUES)


def height_of(row, figures):
    return TITLE + len(figures.of(row)) * (BAR + SPACE) + AFTER


def draw(figures):
    """Returns the chart."""
    drawing = Drawing()
    drawing.text(MARGIN, 38, "Instructions per operation: fewer is better", "title")
    drawing.text(MARGIN, 60, f"Counted by callgrind on {day(figures.measured['date'])}. The scale is logarithmic: from "
                 "one line to the next is a factor of ten.", "note")
    for x, style, label in ((0, "ours", "ReactiveSignals"), (150, "swift", "other Swift libraries"),
                            (330, "once", f"† Swift, no later than {day(figures.once['by'])}"),
                            (660, "other", "C++ and Rust")):
        drawing.bar(MARGIN + x, 78, BAR, style)
        drawing.text(MARGIN + x + BAR + 7, 90, label)

    descriptions = []
    bottom = 0.0
    for index, panels in enumerate(PANELS):
        left = MARGIN + index * (COLUMN + GAP)
        y = TOP
        for row, title in panels:
            draw_panel(drawing, left, y, title, figures.of(row))
            values = sorted(figures.of(row).items(), key=lambda item: item[1])
            descriptions.append(f"{title}: " + ", ".join(f"{PEERS[peer][0]} {number(value)}" for peer, value in values))
            y += height_of(row, figures)
        bottom = max(bottom, y + 6)
    notes = ["‡ sigc++ takes no locks: only one thread may use its signals.",
             "Receivers of tokio ask for the value, and no task waits for it. AsyncChannel hands it from task to task."]
    for note in notes:
        drawing.text(MARGIN, bottom + 8, note, "note")
        bottom += 19
    height = bottom + 6
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:g}" '
        f'viewBox="0 0 {WIDTH} {height:g}" role="img" aria-labelledby="title description">',
        '  <title id="title">Instructions per operation of ReactiveSignals and other libraries</title>',
        f'  <desc id="description">{escape(". ".join(descriptions + [note.rstrip(".") for note in notes]))}.</desc>',
        f"  <style>{STYLE}\n  </style>",
        '  <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">',
        '    <path d="M 1 0 V 5" class="hatch" stroke-width="1.6"/>',
        "  </pattern>",
        f'  <rect width="{WIDTH}" height="{height:g}" rx="6" class="page"/>',
    ]
    return "\n".join(head + drawing.lines + ["</svg>"]) + "\n"


def draw_panel(drawing, left, top, title, values):
    """Draws a title, and a bar for each peer, lowest first."""
    drawing.text(left, top + 14, title, "panel")
    start, y = left + NAMES, top + TITLE
    end = y + len(values) * (BAR + SPACE) - SPACE / 2
    tick = LOWEST
    while tick <= HIGHEST:
        x = round(start + along(tick), 1)
        drawing.add(f'<path d="M {x:g} {y - 3:g} V {end:g}" class="line"/>')
        drawing.text(x, end + 12, number(tick), "tick", "middle")
        tick *= 10
    for peer, value in sorted(values.items(), key=lambda item: item[1]):
        name, _, style = PEERS[peer]
        bold = " bold" if peer == "rs" else ""
        drawing.text(start - 8, y + BAR - 3, name, bold.strip(), "end")
        drawing.bar(start, y, along(value), style)
        drawing.text(round(start + along(value) + 6, 1), y + BAR - 3, number(value), "value" + bold)
        y += BAR + SPACE


def table(figures, peers, rows):
    """Returns a table as lines of Markdown."""
    lines = ["| | " + " | ".join(PEERS[peer][1] for peer in peers) + " |", "|---" * (len(peers) + 1) + "|"]
    for row, title in rows:
        values = figures.of(row)
        cells = [number(values[peer]) if peer in values else "" for peer in peers]
        cells[0] = f"**{cells[0]}**"
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return [line.replace("|  ", "| ") for line in lines]


def with_table(text, table, path):
    """Returns a text with one of its tables replaced: the one with the same head."""
    lines = text.split("\n")
    if lines.count(table[0]) != 1:
        sys.exit(f"figures.py: {path.name} must have one table that begins with: {table[0]}")
    start = end = lines.index(table[0])
    while lines[end].startswith("|"):
        end += 1
    return "\n".join(lines[:start] + table + lines[end:])


def contents():
    """Returns what the files must contain: a dictionary from paths to texts."""
    figures = Figures()
    texts = {CHART: draw(figures)}
    for path, peers, rows in TABLES:
        text = texts.get(path) or path.read_text()
        texts[path] = with_table(text, table(figures, peers, rows), path)
    return texts


def update():
    for path, text in contents().items():
        path.write_text(text)


def check():
    """Returns the names of the files that do not show the results."""
    return [str(path.relative_to(HERE.parent)) for path, text in contents().items()
            if not path.exists() or path.read_text() != text]


def main():
    arguments = sys.argv[1:]
    if arguments == ["--check"]:
        if outdated := check():
            sys.exit(f"figures.py: not what Benchmarks/figures.py writes from the results: {', '.join(outdated)}")
    elif arguments:
        print(__doc__.strip())
        sys.exit(0 if arguments in (["-h"], ["--help"]) else 2)
    else:
        update()


if __name__ == "__main__":
    main()
