// SPDX-License-Identifier: MIT
// The place of a user in a live tree: the chosen row, the filter, the pins. Independent of drawing and of keys.

struct TreeScreenState: Equatable, Sendable {
    static let mostPins = 20

    var expansion: TreeExpansion
    /// The path of the chosen row; nil for the first one.
    private(set) var chosen: String?
    /// Its number, which stays if the row vanishes.
    private(set) var index = 0
    /// The number of rows above the first that shows.
    private(set) var first = 0
    /// The text of the filter; empty for none.
    var filter = ""
    var isTyping = false
    private(set) var pins: [String] = []
    /// A sentence in the place of the keys.
    var message: String?

    init(expansion: TreeExpansion) { self.expansion = expansion }

    mutating func adopt(_ rows: [TreeRow], height: Int) {
        if let found = chosen.flatMap({ path in rows.firstIndex { $0.path.isExactly(path) } }) {
            index = found
        }
        choose(index, in: rows, height: height)
    }

    /// Chooses a row, and scrolls to it.
    mutating func choose(_ number: Int, in rows: [TreeRow], height: Int) {
        index = min(max(number, 0), max(rows.count - 1, 0))
        chosen = rows.isEmpty ? chosen : rows[index].path
        first = min(max(first, index - max(height, 1) + 1), index)
        scroll(by: 0, in: rows, height: height)
    }

    mutating func choose(path: String) { chosen = path }

    mutating func scroll(by count: Int, in rows: [TreeRow], height: Int) {
        first = min(max(first + count, 0), max(rows.count - height, 0))
    }

    mutating func togglePin(_ path: String) {
        if let known = pins.firstIndex(where: path.isExactly) {
            pins.remove(at: known)
        } else if pins.count < TreeScreenState.mostPins {
            pins.append(path)
        }
    }
}

struct TreeScreenLayout: Equatable, Sendable {
    /// From that width on, the panel is beside the tree.
    private static let wide = 110
    /// Lower screens have no panel.
    private static let leastRows = 16

    let size: FrameSize
    let pins: Int
    let treeRows: Int
    let treeColumns: Int
    /// Nil without a panel.
    let panel: FrameSize?
    let isBeside: Bool

    init(_ size: FrameSize, pins: Int) {
        self.size = size
        let body = max(size.rows - 1, 0)
        isBeside = size.columns >= TreeScreenLayout.wide
        var space = body
        if isBeside {
            panel = FrameSize(size.columns * 2 / 5, body)
            treeColumns = size.columns - size.columns * 2 / 5 - 2
        } else {
            panel = size.rows >= TreeScreenLayout.leastRows ? FrameSize(size.columns, body * 2 / 5) : nil
            treeColumns = size.columns
            space -= panel.map { $0.rows + 1 } ?? 0
        }
        self.pins = min(pins, space / 3)
        treeRows = space - (self.pins > 0 ? self.pins + 1 : 0)
    }

    enum Target: Equatable, Sendable {
        case pin(Int)
        /// A row on the screen, the first one 0.
        case row(Int)
    }

    /// What is at a place of the screen; nil outside of the tree.
    func target(column: Int, row: Int) -> Target? {
        guard column < treeColumns, row >= 0 else { return nil }
        if row < pins { return .pin(row) }
        let inner = row - (pins > 0 ? pins + 1 : 0)
        return inner >= 0 && inner < treeRows ? .row(inner) : nil
    }
}
