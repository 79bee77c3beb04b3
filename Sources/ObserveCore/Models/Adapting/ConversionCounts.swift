// SPDX-License-Identifier: MIT
// Counts a plan's changes without loss, and describes them in one line for each type.

struct ConversionCounts {
    enum Kind: Hashable {
        case added
        case converted
        case removed
    }

    private var changes: [Kind: [PropertyOwner: Int]] = [:]
    /// The models that lose each type, and those that get it.
    fileprivate var left: [TypeID: Int] = [:]
    fileprivate var adopted: [TypeID: Int] = [:]

    mutating func note(_ kind: Kind, _ owner: PropertyOwner) {
        changes[kind, default: [:]][owner, default: 0] += 1
    }

    mutating func note(_ old: TypeID, as new: TypeID) {
        if new == .noRecord { left[old, default: 0] += 1 }
        if old == .noRecord { adopted[new, default: 0] += 1 }
    }

    var changedTypes: [String] { Set(changes.values.flatMap(\.keys).compactMap(\.type)).sorted() }

    func properties(_ kind: Kind, of type: String?) -> [(name: String?, count: Int)] {
        (changes[kind] ?? [:]).filter { $0.key.type == type }
            .map { (name: $0.key.property, count: $0.value) }
            .sorted { $0.name ?? "" < $1.name ?? "" }
    }
}

extension TypePlanner {
    /// One line for each type with an effect, and for each type that is no longer declared.
    func lines() -> [TypeChangeLine] {
        let former = tree.typing.declarations
        var lines: [TypeChangeLine] = []
        var names = plan.declarations.types.map(\.name)
        names += counts.changedTypes.filter { !names.contains($0) }
        for name in names {
            var parts = former == nil ? [] : differences(name)
            parts += effects(name)
            if let type = tree.typing.types.find(name), let count = counts.adopted[type] {
                parts.append("\(models(count, "open ")) got the type")
            }
            if !parts.isEmpty {
                lines.append(TypeChangeLine(text: "type \(name): \(list(parts))", isWarning: false))
            }
        }
        let roots = rootDifferences() + effects(nil)
        if former != nil || !effects(nil).isEmpty, !roots.isEmpty {
            lines.append(TypeChangeLine(text: "roots: \(list(roots))", isWarning: false))
        }
        return lines + goneLines()
    }

    /// Warnings about the types that are no longer declared.
    private func goneLines() -> [TypeChangeLine] {
        var names = (tree.typing.declarations?.types ?? []).map(\.name)
        var counts: [String: Int] = [:]
        for (type, count) in self.counts.left
        where former.find(name(type)) == type && !tree.typing.types.isDictionary(type) {
            counts[name(type), default: 0] += count
        }
        names += counts.keys.filter { !names.contains($0) }.sorted()
        return names.filter { tree.typing.types.find($0) == nil }.map { name in
            let effect = counts[name].map {
                "\(models($0)) became open and \($0 == 1 ? "keeps its" : "keep their") values"
            }
            let text = "type \(name) is no longer declared: \(effect ?? "no model became open")"
            return TypeChangeLine(text: text, isWarning: true)
        }
    }

    private func models(_ count: Int, _ kind: String = "") -> String {
        "\(count) \(kind)model\(count == 1 ? "" : "s")"
    }

    private func list(_ parts: [String]) -> String { parts.joined(separator: ", ") }

    /// What the plan does to the properties of a type; nil for roots.
    private func effects(_ type: String?) -> [String] {
        func parts(_ kind: ConversionCounts.Kind, _ text: (String, String) -> String) -> [String] {
            counts.properties(kind, of: type).map { text($0.name ?? "values", models($0.count)) }
        }
        guard type != nil else { return parts(.converted) { name, _ in "\(name) was converted" } }
        return parts(.added) { "\($0) was added to \($1)" }
            + parts(.converted) { "\($0) was converted in \($1)" }
            + parts(.removed) { "\($0), which was null, was removed from \($1)" }
    }

    // MARK: Declarations

    private func differences(_ name: String) -> [String] {
        guard let new = plan.declarations.type(name) else { return [] }
        guard let old = tree.typing.declarations?.type(name) else { return ["declared"] }
        var parts: [String] = []
        for property in new.properties {
            guard let known = old.property(property.name) else {
                parts.append("\(property.name) is \(property.inWords)")
                continue
            }
            if known.inWords != property.inWords {
                parts.append("\(property.name) is \(property.inWords), was \(known.inWords)")
            } else if known != property {
                let changed = property.computed == nil ? "default" : "template"
                parts.append("\(property.name) has another \(changed)")
            }
        }
        for property in old.properties where new.property(property.name) == nil {
            parts.append("\(property.name) is no longer declared")
        }
        return parts
    }

    private func rootDifferences() -> [String] {
        let former = tree.typing.declarations?.roots ?? []
        var parts: [String] = []
        for root in plan.declarations.roots {
            let known = former.first { $0.name == root.name }
            if known?.type != root.type {
                parts.append("\(root.name) is \(root.type)" + (known.map { ", was \($0.type)" } ?? ""))
            }
        }
        for root in former where plan.declarations.root(root.name) == nil {
            parts.append("\(root.name) may be anything, was \(root.type)")
        }
        return parts
    }
}

extension PropertyDeclaration {
    /// The type with its modifiers: `weak Film?`.
    fileprivate var inWords: String {
        (computed == nil ? "" : "computed ") + (isReadonly ? "readonly " : "") + (isWeak ? "weak " : "")
            + type
    }
}
