// SPDX-License-Identifier: MIT
// `observectl tree`: the models, their values and the references between them. Independent of their drawing.

import ObserveCore

extension CommandSpec {
    static let tree = CommandSpec(
        name: "tree",
        operands: "[PATH]",
        summary: "draw the models below PATH, their values and their references",
        options: [
            OptionSpec("--depth", "N", "levels of models; on a terminal as many as fit"),
            OptionSpec("--types", nil, "show the declared types"),
            OptionSpec("--json", nil, "print each row as a JSON object in a line"),
            OptionSpec("--svg", "FILE", "write a picture instead, for a browser"),
            OptionSpec("--follow", nil, "show it on the whole terminal, as it changes", letter: "f"),
            asciiOption, .noWait,
        ],
        details: """
            A model is shown once: where other references lead to it, an arrow points to its row, which lists
            them ('also'). Marks are: weak, computed, bound, and held, with the time that is left.

            Examples:
              observectl tree
              observectl tree --types library
            """,
        manual: """
            {3} is a collapsed model of three properties, [3] a collapsed array. All that it shows is of one revision, except
            computed values and types, which are requested after it. A client that may not read every root sees those
            references that lead to roots that it may read.

            With --follow, changes glow and fade. Below the tree or beside it are the chosen value's explanation, its last
            numbers as a line, and its changes since the start. It shows each path at most ten times a second. Arrows, the
            mouse, j and k move. Space, enter and a second click open a model. '/' filters by path, and 'p' pins a row above
            the tree. 'e' edits the value as observectl edit does. 'l' chooses the other end of a reference or binding. 'y'
            prints the path on the ordinary screen. Escape ends the filter, and 'q' the command. Without a daemon, it waits for one.
            """,
        run: { (invocation) throws(CommandError) in try TreeListing(invocation).run() }
    )

    static let asciiOption = OptionSpec("--ascii", nil, "draw with ASCII alone, as in the C locale")
}

/// One run of `tree`.
private struct TreeListing {
    private static let pictureColumns = 100

    private let invocation: Invocation
    private let depth: Int?
    private let start: [String]

    init(_ invocation: Invocation) throws(CommandError) {
        self.invocation = invocation
        depth = try invocation.arguments.count("--depth").map { Int(clamping: $0) }
        start = try invocation.literalNames()
        try invocation.arguments.refuse(["--depth", "--types", "--json", "--svg"], beside: "--follow")
    }

    func run() throws(CommandError) {
        if invocation.arguments.has("--follow") { return try TreeFollowing(invocation, from: start).run() }
        var graph = try invocation.modelGraph(of: start)
        let outline = self.outline(of: graph)
        let rows = outline.rows
        if rows.isEmpty, !start.isEmpty {
            throw .failed("\(invocation.operands[0]) leads nowhere; 'observectl tree' shows all paths")
        }
        if rows.isEmpty { invocation.reportEmptyDaemon() }
        try invocation.computeValues(of: rows, in: &graph)
        let isJSON = invocation.arguments.has("--json")
        let types =
            isJSON || invocation.arguments.has("--types") ? try invocation.declaredTypes(of: rows) : [:]
        let paths = GraphPaths(graph)
        if isJSON {
            let records = TreeRecords(graph: graph, paths: paths, types: types, now: Platform.timeOfDay)
            return try invocation.show(rows: rows.map(records.record), in: .properties)
        }
        let lines = TreeLines(
            graph: graph,
            paths: paths,
            glyphs: invocation.glyphs,
            types: types,
            now: Platform.timeOfDay
        )
        let file = invocation.arguments.options["--svg"]
        let columns = file != nil ? TreeListing.pictureColumns : invocation.lineColumns
        let cells = rows.map { lines.line($0, columns: columns) }
        if let file { return try invocation.replace(file, cells.picture) }
        try invocation.draw(cells)
    }

    private func outline(of graph: ModelGraph) -> TreeOutline {
        // The prompt has two lines.
        let fitting = invocation.screenRows.map {
            TreeOutline.fittingDepth(max($0 - 2, 1), graph, from: start)
        }
        return TreeOutline(graph, from: start) { $1 < depth ?? fitting ?? .max }
    }
}
