// SPDX-License-Identifier: MIT
// `observectl tree`: the models, their values and the references between them. Independent of their drawing.

import ObserveCore

extension CommandSpec {
    static let tree = CommandSpec(
        usage: "tree [PATH]",
        summary: "draw the models below PATH, their values and their references",
        options: [
            OptionSpec("--depth N", "levels of models; on a terminal as many as fit"),
            OptionSpec("--types", "show the declared types"),
            OptionSpec("--json", "print each row as a JSON object in a line"),
            OptionSpec("--svg FILE", "write a picture instead, for a browser; - is standard output"),
            OptionSpec("-f, --follow", "show it on the whole terminal, as it changes"), asciiOption, .noWait,
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
            """
    ) { (invocation) throws(CommandError) in try invocation.drawTree() }

    static let asciiOption = OptionSpec("--ascii", "draw with ASCII alone, as in the C locale")
}

private extension Invocation {
    static let pictureColumns = 100

    func drawTree() throws(CommandError) {
        let depth = try arguments.count("--depth").map { Int(clamping: $0) }
        let start = try literalNames()
        try arguments.refuse(["--depth", "--types", "--json", "--svg"], beside: "--follow")
        try arguments.refuse(["--json"], beside: "--svg")
        if arguments.has("--follow") { return try TreeFollowing(self, from: start).run() }
        var graph = try modelGraph(of: start)
        // The prompt has two lines.
        let fitting = { TreeOutline.fittingDepth(max($0 - 2, 1), graph, from: start) }
        let levels = depth ?? screenRows.map(fitting) ?? .max
        let rows = TreeOutline(graph, from: start) { $1 < levels }.rows
        if rows.isEmpty, !start.isEmpty {
            throw .failed("\(operands[0]) leads nowhere; 'observectl tree' shows all paths")
        }
        if rows.isEmpty, let root = graph.deniedRoots.first {
            throw .failed("you may read parts of \(root) alone; 'observectl tree PATH' shows one of them")
        }
        if rows.isEmpty { reportEmptyDaemon() }
        try computeValues(of: rows, in: &graph)
        let isJSON = arguments.has("--json")
        let types = isJSON || arguments.has("--types") ? try declaredTypes(of: rows) : [:]
        let paths = GraphPaths(graph)
        if isJSON {
            let records = TreeRecords(graph: graph, paths: paths, types: types, now: Platform.timeOfDay)
            for row in rows { try show(records.record(row)) }
            return
        }
        let now = Platform.timeOfDay
        let lines = TreeLines(graph: graph, paths: paths, glyphs: glyphs, types: types, now: now)
        let file = arguments.options["--svg"]
        let columns = file != nil ? Invocation.pictureColumns : lineColumns
        let cells = rows.map { lines.line($0, columns: columns) }
        if let file { return try replace(file, cells.picture) }
        try draw(cells)
    }
}
