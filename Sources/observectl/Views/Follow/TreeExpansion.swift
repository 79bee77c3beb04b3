// SPDX-License-Identifier: MIT
// Which models of a live tree are open, and which rows a filter leaves. Independent of drawing.

import ObserveCore

/// The models above a depth are open, except for those that the user has changed.
struct TreeExpansion: Equatable, Sendable {
    let depth: Int
    private var changed: Set<[UInt8]> = []

    init(depth: Int) { self.depth = depth }

    func isOpen(_ path: String, _ depth: Int) -> Bool { (depth < self.depth) != changed.contains(path.bytes) }

    mutating func setOpen(_ isOpen: Bool, _ path: String, _ depth: Int) {
        guard self.isOpen(path, depth) != isOpen else { return }
        if changed.remove(path.bytes) == nil { changed.insert(path.bytes) }
    }

    /// Opens all models on the way to a path, below the first names, with which the tree begins.
    mutating func reveal(_ path: String, below start: Int) {
        guard let names = GraphPaths.names(of: path) else { return }
        let least = max(start, 1)
        for count in stride(from: least, to: names.count, by: 1) {
            setOpen(true, DottedKeyPath.text(of: Array(names[..<count])), count - least)
        }
    }
}

extension [TreeRow] {
    /// The rows whose paths contain a text, without regard to case, and the rows above them.
    func filtered(by text: String) -> [TreeRow] {
        let wanted = text.lowercased()
        var kept: [TreeRow] = []
        /// The depth below which the next row is an ancestor of a kept one.
        var needed = 0
        /// For each level, whether a kept row follows below the same model.
        var follows: [Bool] = []
        for row in reversed() {
            let isMatch = row.path.lowercased().contains(wanted)
            guard isMatch || row.depth < needed else { continue }
            needed = row.depth
            if follows.count > row.depth + 1 { follows.removeSubrange((row.depth + 1)...) }
            while follows.count <= row.depth { follows.append(false) }
            var last = row
            last.continues = row.depth > 0 ? [Bool](follows[1...row.depth]) : []
            kept.append(last)
            follows[row.depth] = true
        }
        return kept.reversed()
    }
}

extension TreeRow {
    /// The row of a path alone; nil if it leads nowhere.
    static func pinned(_ path: String, in graph: ModelGraph) -> TreeRow? {
        guard let names = GraphPaths.names(of: path), let place = graph.place(of: names),
            let content = graph.content(at: place)
        else { return nil }
        let isCollapsed: Bool? =
            switch content {
            case .model: true
            case .list: content.isFlat ? nil : true
            case .scalar, .weak, .computed: nil
            }
        return TreeRow(path: path, name: path, place: place, isCollapsed: isCollapsed)
    }
}
