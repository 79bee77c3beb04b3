// SPDX-License-Identifier: MIT
// Paths with conditions and choices over a plain tree, after the text of the protocol.

@testable import ObserveCore

/// A model with the revision of each property's last change.
final class NaiveModel {
    var names: [String] = []
    var values: [String: NaiveNode] = [:]
    var revisions: [String: Int64] = [:]

    func set(_ name: String, _ value: NaiveNode?, at revision: Int64) {
        if value == nil || values[name] == nil { names.removeAll { $0 == name } }
        if value != nil, values[name] == nil { names.append(name) }
        values[name] = value
        revisions[name] = value == nil ? nil : revision
    }
}

indirect enum NaiveNode {
    case scalar(Value)
    case array([NaiveNode])
    case model(NaiveModel)

    init(_ value: Value, at revision: Int64) {
        switch value {
        case .object(let members):
            let model = NaiveModel()
            for (name, value) in members { model.set(name, NaiveNode(value, at: revision), at: revision) }
            self = .model(model)
        case .array(let elements): self = .array(elements.map { NaiveNode($0, at: revision) })
        default: self = .scalar(value)
        }
    }

    var value: Value {
        switch self {
        case .scalar(let value): return value
        case .array(let elements): return .array(elements.map(\.value))
        case .model(let model):
            return .object(ValueMembers(model.names.map { ($0, model.values[$0]?.value ?? .null) }))
        }
    }

    var isNull: Bool { value == .null }

    func child(_ name: String) -> NaiveNode? {
        switch self {
        case .scalar: return nil
        case .array(let elements):
            return Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        case .model(let model): return model.values[name]
        }
    }

    /// The elements with their names and the revisions of the properties that hold them.
    var elements: [(name: String, node: NaiveNode, revision: Int64)] {
        switch self {
        case .scalar: return []
        case .array(let elements): return elements.enumerated().map { (String($0), $1, 0) }
        case .model(let model):
            return model.names.map { ($0, model.values[$0] ?? .scalar(.null), model.revisions[$0] ?? 0) }
        }
    }
}

/// A condition over the properties of an element.
struct NaiveCondition {
    static let paths = ["on", "x", "s"]
    let expression: NaiveExpression

    var text: String { "[\(expression.text(Self.paths))]" }

    init(_ random: inout SeededGenerator) {
        let operators = ["==", "!=", "<", "<=", ">", ">=", "&&", "||"]
        let sign = operators[Int(random.next() % 8)]
        expression = .binary(
            sign,
            .path(Int(random.next() % 3)),
            .random(2, paths: Self.paths.count, &random)
        )
    }

    func holds(_ node: NaiveNode) -> Bool {
        expression.value(Self.paths.map { node.child($0)?.value ?? .null }) == true
    }

    func age(_ node: NaiveNode) -> Int64 {
        guard case .model(let model) = node else { return 0 }
        return expression.paths.map { model.revisions[Self.paths[$0]] ?? 0 }.max() ?? 0
    }
}

extension NaiveExpression {
    /// The indices of its paths.
    fileprivate var paths: [Int] {
        switch self {
        case .path(let index): [index]
        case .literal: []
        case .unary(_, let part): part.paths
        case .binary(_, let left, let right): left.paths + right.paths
        case .choose(let condition, let value, let other): condition.paths + value.paths + other.paths
        case .call(_, let parts): parts.flatMap(\.paths)
        }
    }
}

/// One path over a container: `r.a[x > 1].x`, `r.@latest[on].x`, `r.@sum[on].x` or `r.*[on].x`.
enum NaiveSelection {
    case name(String)
    case choice(isLatest: Bool)
    case count
    case sum
    case pattern

    private var text: String {
        switch self {
        case .name(let name): name
        case .choice(let isLatest): isLatest ? "@latest" : "@first"
        case .count: "@count"
        case .sum: "@sum"
        case .pattern: "*"
        }
    }

    private var suffix: String { if case .count = self { "" } else { ".x" } }

    var isPattern: Bool { if case .pattern = self { true } else { false } }

    static func random(_ random: inout SeededGenerator) -> NaiveSelection {
        switch random.next() % 7 {
        case 0, 1: .name(["a", "b", "0", "1"][Int(random.next() % 4)])
        case 2: .choice(isLatest: false)
        case 3: .choice(isLatest: true)
        case 4: .count
        case 5: .sum
        default: .pattern
        }
    }

    func path(_ root: String, _ condition: NaiveCondition?) -> String {
        "\(root).\(text)\(condition?.text ?? "")\(suffix)"
    }

    /// The values of all paths that are not null.
    func values(_ root: String, _ condition: NaiveCondition?, in container: NaiveNode?) -> [String: Value] {
        let own = path(root, condition)
        guard let container else { return [:] }
        if case .scalar = container { return [:] }
        let all = container.elements
        let chosen = all.filter { condition?.holds($0.node) ?? true }
        func x(_ node: NaiveNode?) -> Value { node?.child("x")?.value ?? .null }
        var values: [String: Value] = [:]
        switch self {
        case .name(let name): values[own] = x(chosen.first { $0.name == name }?.node)
        case .choice(isLatest: false): values[own] = x(chosen.first { !$0.node.isNull }?.node)
        case .choice(isLatest: true):
            var best: (age: Int64, node: NaiveNode)?
            for element in chosen where !element.node.isNull {
                let age = max(element.revision, condition?.age(element.node) ?? 0)
                if best.map({ age >= $0.age }) ?? true { best = (age, element.node) }
            }
            values[own] = x(best?.node)
        case .count: values[own] = .int(Int64(chosen.count))
        case .sum:
            var (sum, isDouble) = (0.0, false)
            for element in chosen {
                switch x(element.node) {
                case .int(let int): sum += Double(int)
                case .double(let double): (sum, isDouble) = (sum + double, true)
                default: break
                }
            }
            values[own] = isDouble ? .double(sum) : .int(Int64(sum))
        case .pattern:
            for element in chosen {
                values["\(root).\(element.name)\(condition?.text ?? "").x"] = x(element.node)
            }
        }
        return values.filter { $0.value != .null }
    }
}
