// SPDX-License-Identifier: MIT
// Rows of a tree as JSON objects. Independent of their drawing.

import ObserveCore

struct TreeRecords {
    let graph: ModelGraph
    let paths: GraphPaths
    let types: [[UInt8]: String]
    /// Milliseconds since 1970.
    let now: Int64

    func record(_ row: TreeRow) -> RawJSON {
        let content = graph.content(at: row.place) ?? .scalar(.null)
        var record = ValueMembers([("path", .string(row.path)), ("kind", .string(content.kind))])
        if let type = types[row.path.bytes] { record["type"] = .string(type) }
        switch content {
        case .model(let instance):
            record["instance"] = .int(instance.number)
            record["link"] = row.link.map(Value.string)
            record["properties"] = .int(Int64(graph.models[instance]?.properties.count ?? 0))
            let others = paths.holders(of: instance, except: row.place)
            if !others.isEmpty { record["also"] = .array(others.map(record(of:))) }
        case .weak(let instance):
            record["weak"] = true
            record["link"] = instance.flatMap(paths.path(to:)).map(Value.string)
        case .list(let elements):
            if let value = content.value {
                record["value"] = value
            } else {
                record["elements"] = .int(Int64(elements.count))
            }
        case .computed(let value):
            record["computed"] = true
            record["value"] = value ?? .null
        case .scalar(let value): record["value"] = value
        }
        add(ends: paths.bound[row.place] ?? [], to: &record)
        if let layers = graph.layers[row.place], let last = layers.last { record["held"] = held(last.end) }
        return RawJSON(.object(record))
    }

    private func record(of holder: GraphPaths.Holder) -> Value {
        ["path": paths.path(of: holder.place).map(Value.string) ?? .null, "weak": .bool(holder.isWeak)]
    }

    private func add(ends: [GraphPaths.BoundEnd], to record: inout ValueMembers) {
        let fed = ends.filter { $0.direction != .feeds }.map { Value.string($0.other) }
        let feeds = ends.filter { $0.direction != .isFed }.map { Value.string($0.other) }
        if !fed.isEmpty { record["fedBy"] = .array(fed) }
        if !feeds.isEmpty { record["feeds"] = .array(feeds) }
    }

    /// The end of the value that shows, as `explain` has it.
    private func held(_ end: ModelGraph.Layer.End) -> Value {
        switch end {
        case .permanent: "permanent"
        case .connection: "connection"
        case .time(let time): .int(time.remaining(at: now))
        }
    }
}

private extension ModelGraph.Content {
    var kind: String {
        switch self {
        case .model, .weak(_?): "model"
        case .weak(nil), .computed(nil): "null"
        case .list: "array"
        case .scalar(let value), .computed(let value?): value.kind.name
        }
    }
}
