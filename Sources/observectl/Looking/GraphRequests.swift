// SPDX-License-Identifier: MIT
// The requests that make a graph: dumps, computed values, declared types. Independent of views.

import ObserveCore

extension Invocation {
    private static let pathsAtOnce = 500

    /// The daemon's models. Those of some roots alone, or of a path, if the client may not read everything.
    func modelGraph(of start: [String]) throws(CommandError) -> ModelGraph {
        var graph = ModelGraph()
        if let root = start.first, root == "observed" {
            let value = try request("get", ["path": RawJSON(.string(root))]).required("value")
            graph.add(root: root, try attempt(value.checkedValue()))
            return graph
        }
        do throws(CommandError) {
            try read(nil, into: &graph)
            return graph
        } catch {
            guard error.isDenied else { throw error }
            graph = ModelGraph()
        }

        guard start.isEmpty else {
            try read(DottedKeyPath.text(of: start), into: &graph)
            return graph
        }
        let roots = try request("describe", ["path": RawJSON("")]).member("properties")?.elements ?? []
        for root in roots {
            guard let name = root.string("name")?.escapedComponent else { continue }
            do throws(CommandError) { try read(name, into: &graph) } catch {
                guard error.isDenied else { throw error }
                graph.deniedRoots.append(name)
            }
        }
        return graph
    }

    private func read(_ path: String?, into graph: inout ModelGraph) throws(CommandError) {
        var lines = TextLines()
        try dump(path) { (text) throws(CommandError) in
            for line in lines.consume(text) { try attempt(graph.add(line: line)) }
        }
    }

    /// Requests a dump, of all models without a path, and passes on the text of each part.
    func dump(_ path: String?, _ body: ([UInt8]) throws(CommandError) -> Void) throws(CommandError) {
        let params: RequestParams = ["part": RawJSON(.int(0)), "path": path.map { RawJSON(.string($0)) }]
        var (answer, connection) = try begin("dump", params)
        connection.audience = streams.output
        var part: Int64 = 0
        while true {
            try body(try answer.required("text").unquoted)
            guard try answer.required("more") == RawJSON(true) else { return }
            part += 1
            answer = try attempt(connection.call("dump", ["part": RawJSON(.int(part))], until: deadline))
        }
    }

    func computeValues(of rows: [TreeRow], in graph: inout ModelGraph) throws(CommandError) {
        let computed = rows.filter { if case .computed = graph.content(at: $0.place) { true } else { false } }
        for first in stride(from: 0, to: computed.count, by: Invocation.pathsAtOnce) {
            let some = computed[first...].prefix(Invocation.pathsAtOnce)
            let paths = RawJSON(.array(some.map { Value.string($0.path) }))
            let values = try request("get", ["paths": paths]).required("values").elements
            for (row, value) in zip(some, values) {
                let value = try value.required("value")
                graph.replace(at: row.place, with: .computed(try attempt(value.checkedValue())))
            }
        }
    }

    func declaredTypes(of rows: [TreeRow]) throws(CommandError) -> [[UInt8]: String] {
        let connection = try connect()
        var types: [[UInt8]: String] = [:]
        for row in rows {
            let params: RequestParams = ["path": RawJSON(.string(row.path))]
            let described = try attempt(connection.call("describe", params, until: deadline))
            types[row.path.bytes] = described.string("type")
        }
        return types
    }
}
