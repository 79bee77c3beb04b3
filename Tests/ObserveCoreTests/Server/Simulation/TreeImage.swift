// SPDX-License-Identifier: MIT
// A naive copy of a tree at one revision. Follows paths by itself: independent of the tree's walks and its path index.

@testable import ObserveCore

/// Every model that the roots lead to, by its identity.
struct TreeImage {
    indirect enum Cell {
        case scalar(Value)
        case array([Cell])
        case model(UInt64)
    }

    struct Property {
        let name: String
        let cell: Cell
        let isWeak: Bool
    }

    private(set) var models: [UInt64: [Property]] = [:]
    let root: UInt64

    init(_ tree: ModelTree) {
        root = tree.records.models[tree.records.root].instance
        var pending = [tree.records.root]
        var known: Set<ModelID> = [tree.records.root]
        while let model = pending.popLast() {
            var properties: [Property] = []
            var id = tree.records.models[model].first
            while id != .noRecord {
                let name = tree.records.names.text(tree.records.properties[id].name).string
                let cell = TreeImage.cell(tree.records.properties[id].value, tree, &known, &pending)
                properties.append(
                    Property(name: name, cell: cell, isWeak: tree.records.properties[id].isWeak)
                )
                id = tree.records.properties[id].next
            }
            models[tree.records.models[model].instance] = properties
        }
    }

    private static func cell(
        _ value: StoredValue,
        _ tree: ModelTree,
        _ known: inout Set<ModelID>,
        _ pending: inout [ModelID]
    ) -> Cell {
        switch value {
        case .absent, .null: return .scalar(.null)
        case .bool(let bool): return .scalar(.bool(bool))
        case .int(let int): return .scalar(.int(int))
        case .double(let double): return .scalar(.double(double))
        case .array(let array): return .array(array.elements.map { cell($0, tree, &known, &pending) })
        case .model(let model):
            if known.insert(model).inserted { pending.append(model) }
            return .model(tree.records.models[model].instance)
        case .string, .text:
            let text = ByteBuffer()
            _ = tree.render(value, to: text)
            return .scalar((try? Value(json: text.array)) ?? "not JSON")
        }
    }

    // MARK: Paths

    func member(_ name: String, of cell: Cell) -> Cell {
        switch cell {
        case .model(let model): models[model]?.first { $0.name == name }?.cell ?? .scalar(.null)
        case .array(let elements):
            Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil } ?? .scalar(.null)
        case .scalar: .scalar(.null)
        }
    }

    /// The value at a path, whose last name may be `@count`; null if the path is broken.
    func cell(_ names: [String]) -> Cell {
        var cell = Cell.model(root)
        for name in names {
            if name == "@count" {
                guard case .array(let elements) = cell else { return .scalar(.null) }
                return .scalar(.int(Int64(elements.count)))
            }
            cell = member(name, of: cell)
        }
        return cell
    }

    /// The paths that a pattern with `*` matches, with their values.
    func expanded(_ pattern: [String]) -> [String: Cell] {
        var places: [([String], Cell)] = [([], .model(root))]
        for name in pattern {
            places = places.flatMap { names, cell -> [([String], Cell)] in
                guard name == "*" else { return [(names + [name], member(name, of: cell))] }
                switch cell {
                case .model(let model): return (models[model] ?? []).map { (names + [$0.name], $0.cell) }
                case .array(let elements):
                    return elements.indices.map { (names + [String($0)], elements[$0]) }
                case .scalar: return []
                }
            }
        }
        return Dictionary(uniqueKeysWithValues: places.map { ($0.joined(separator: "."), $1) })
    }

    // MARK: Values

    /// The value with each model as its `id` alone.
    func reduced(_ cell: Cell) -> Value {
        switch cell {
        case .scalar(let value): value
        case .array(let elements): .array(elements.map(reduced))
        case .model(let model):
            if case .scalar(let id)? = models[model]?.first(where: { $0.name == "id" })?.cell {
                ["id": id]
            } else {
                ["id": nil]
            }
        }
    }

    /// The same form of a value in an event or an answer.
    static func reduced(_ value: Value) -> Value {
        switch value {
        case .array(let elements): .array(elements.map(reduced))
        case .object: ["id": value["id"] ?? nil]
        default: value
        }
    }

    /// The value with everything that it owns, without nulls in models.
    func whole(_ cell: Cell) -> Value {
        switch cell {
        case .scalar(let value): return value
        case .array(let elements): return .array(elements.map(whole))
        case .model(let model):
            let members = (models[model] ?? []).filter { !$0.isWeak }.map { ($0.name, whole($0.cell)) }
            return .object(ValueMembers(members.filter { !$0.1.isNull }))
        }
    }

    /// How many models there are, with the one that holds the roots.
    var count: Int { models.count }

    /// All roots' names.
    var roots: [String] { models[root]?.map(\.name) ?? [] }
}
