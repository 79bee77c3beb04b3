// SPDX-License-Identifier: MIT
// Converts the document to a configuration, and collects every fault. Independent of files and trees.

internal import ObserveCore

/// Reads one whole document, even if parts of it are faulty.
struct ConfigurationReader {
    var configuration = Configuration()
    private(set) var faults: [ConfigurationFault] = []
    /// Every declared root, even if its declaration is faulty.
    private var declared = ValueMembers()

    private static let keys = [
        "models", "closed", "links", "limits", "types", "bindings", "journal", "access",
    ]

    mutating func read(_ document: Value) {
        let document = Part(document)
        guard let members = readObject(document) else { return }
        declared = document["models"].value?.object ?? ValueMembers()
        // The limits first: they bound the paths of links.
        readLimits(document["limits"])
        for (name, part) in members {
            switch name {
            case "types": readTypes(part)
            case "models": readModels(part)
            case "closed": configuration.isClosed = readFlag(part) ?? false
            case "links":
                let links = readArray(part, "an array of links")
                configuration.links = readPairs(links, from: "path", option: "weak")
            case "bindings": readBindings(part)
            // For editors: the place of docs/observed.schema.json.
            case "limits", "$schema": break
            case "journal": readJournal(part)
            case "access": readAccess(part)
            default: report(.unknownKey(at: part.place, known: Self.keys))
            }
        }
        // The tree can't try a path from or to a faulty root.
        let sound = ValueMembers(configuration.models.map { ($0.name, .null) })
        configuration.links.removeAll { $0.roots.contains { sound[$0] == nil } }
        configuration.bindings.removeAll { $0.roots.contains { sound[$0] == nil } }
    }

    mutating func report(_ fault: ConfigurationFault) { faults.append(fault) }

    mutating func report(_ message: String, at part: Part) {
        faults.append(ConfigurationFault(at: part.place, message))
    }
}

/// A value of the document, and its place; no value if its object lacks it.
struct Part {
    let value: Value?
    let place: [String]

    init(_ value: Value?, at place: [String] = []) { (self.value, self.place) = (value, place) }

    subscript(name: String) -> Part { Part(value?.object?[name], at: place + [name]) }
}

// MARK: - Shared by all parts

extension ConfigurationReader {
    /// The result of `body`; nil without a value, and after a report that it is not the wanted one.
    mutating func read<Result>(_ part: Part, _ wanted: String, _ body: (Value) -> Result?) -> Result? {
        guard let value = part.value else { return nil }
        if let result = body(value) { return result }
        report("expected \(wanted), found \(value.inWords)", at: part)
        return nil
    }

    mutating func readString(_ part: Part, _ wanted: String) -> String? { read(part, wanted, \.string) }

    /// False without a value.
    mutating func readFlag(_ part: Part) -> Bool? {
        part.value == nil ? false : read(part, "true or false", \.bool)
    }

    /// The members. Reports those that are not known.
    mutating func readObject(_ part: Part, _ wanted: String = "an object", known: [String]? = nil)
        -> [(name: String, part: Part)]?
    {
        guard let object = read(part, wanted, \.object) else { return nil }
        let members = object.map { (name: $0.name, part: Part($0.value, at: part.place + [$0.name])) }
        for member in members where known?.contains(member.name) == false {
            report(.unknownKey(at: member.part.place, known: known ?? []))
        }
        return members
    }

    /// The elements; none without an array.
    mutating func readArray(_ part: Part, _ wanted: String) -> [Part] {
        let elements = read(part, wanted, \.array) ?? []
        return elements.enumerated().map { Part($0.element, at: part.place + [String($0.offset)]) }
    }

    /// The names along a literal key path; nil after reporting why it is not one.
    mutating func names(of part: Part) -> [String]? {
        let wanted = "a key path: a string, or an array of strings and integers"
        guard let text = read(part, wanted, dotted) else { return nil }
        return parse(text, at: part, without: "wildcards and operators", DottedKeyPath.literalNames)
    }

    /// What `body` finds in a key path; nil after reporting why it finds nothing.
    mutating func parse<Result>(
        _ text: String,
        at part: Part,
        without: String,
        _ body: (String, Int) throws(KeyPathError) -> Result?
    ) -> Result? {
        do throws(KeyPathError) {
            if let result = try body(text, configuration.limits.tree.maxDepth) { return result }
            report("expected a path without \(without)", at: part)
        } catch { report(error.description, at: part) }
        return nil
    }

    /// A key path in dotted form, from either of its two forms.
    private func dotted(_ value: Value) -> String? {
        if let text = value.string { return text }
        guard let elements = value.array else { return nil }
        var names: [String] = []
        for element in elements {
            // As for a JSON Schema, 1.0 is an integer.
            guard let name = element.string ?? element.int.map({ String($0) }) else { return nil }
            names.append(name)
        }
        return DottedKeyPath.text(of: names)
    }

    /// Reports a value with too many levels.
    mutating func check(_ value: Value, at place: [String], level: Int) {
        let limit = configuration.limits.tree.maxDepth
        if level > limit, value.object != nil || value.array != nil {
            let message = "nests too deep, expected at most \(limit) levels (limits.maxDepth)"
            return report(ConfigurationFault(at: place, message))
        }
        for (name, inside) in value.object ?? ValueMembers() {
            check(inside, at: place + [name], level: level + 1)
        }
        for (index, inside) in (value.array ?? []).enumerated() {
            check(inside, at: place + [String(index)], level: level + 1)
        }
    }
}

private extension ConfigurationReader {
    mutating func readJournal(_ journal: Part) {
        let names = Durability.allCases.map(\.rawValue).joined(separator: ", ")
        guard readObject(journal, known: ["durability"]) != nil,
            let name = readString(journal["durability"], "one of \(names)")
        else { return }
        guard let durability = Durability(rawValue: name)
        else { return report("expected one of \(names), found \(name)", at: journal["durability"]) }
        configuration.durability = durability
    }

    mutating func readModels(_ models: Part) {
        for (name, model) in readObject(models, "an object with a member for each root") ?? [] {
            let before = faults.count
            let read = readModel(model, named: name)
            if faults.count == before, let read { configuration.models.append(read) }
        }
    }

    mutating func readModel(_ model: Part, named name: String) -> Configuration.Model? {
        if name == "observed" { report("this root is the daemon's own, expected another name", at: model) }
        guard readObject(model, "an object with a value", known: ["value", "type"]) != nil else { return nil }
        let type = readString(model["type"], "a type")
        if let value = model["value"].value {
            check(value, at: model["value"].place, level: 1)
        } else if model["type"].value == nil {
            report("missing, expected the root's value", at: model["value"])
        }
        return Configuration.Model(name: name, type: type, value: model["value"].value)
    }

    // MARK: Links and bindings

    mutating func readBindings(_ bindings: Part) {
        let elements = readArray(bindings, "an array of bindings")
        let limit = configuration.limits.tree.maxBindings
        guard elements.count <= limit else {
            let most = "expected at most \(limit) \(limit == 1 ? "binding" : "bindings") (limits.maxBindings)"
            return report("\(most), found \(elements.count)", at: bindings)
        }
        configuration.bindings = readPairs(elements, from: "source", option: "twoWay", isReadable: true)
    }

    /// The pairs without faults, from a path of that name to the `target`.
    /// - Parameter isReadable: whether the first path may have operators, conditions and choices.
    mutating func readPairs(_ elements: [Part], from source: String, option: String, isReadable: Bool = false)
        -> [Configuration.PathPair]
    {
        var pairs: [Configuration.PathPair] = []
        for (index, element) in elements.enumerated() {
            let wanted = "an object with a \(source) and a target"
            guard readObject(element, wanted, known: [source, "target", option]) != nil else { continue }
            let path = readPath(element[source], isReadable: isReadable)
            let target = readPath(element["target"])
            guard let isSet = readFlag(element[option]), let path, let target else { continue }
            let pair = Configuration.PathPair(
                index: index,
                roots: [path.root, target.root],
                source: path.text,
                target: target.text,
                option: isSet
            )
            pairs.append(pair)
        }
        return pairs
    }

    /// A key path with a declared root; nil after reporting the fault.
    mutating func readPath(_ part: Part, isReadable: Bool = false) -> (root: String, text: String)? {
        if part.value == nil { report("missing, expected a key path", at: part) }
        let path: (root: String, text: String)?
        if isReadable, let text = part.value?.string, text.contains(where: { "@[*".contains($0) }) {
            path = parse(text, at: part, without: "wildcards", DottedKeyPath.readableRoot).map { ($0, text) }
        } else {
            path = names(of: part).map { ($0[0], DottedKeyPath.text(of: $0)) }
        }
        guard let path, declared[path.root] == nil else { return path }
        let root = DottedKeyPath.text(of: [path.root])
        report("the root \(root) is not declared, expected one in models", at: part)
        return nil
    }

    mutating func readLimits(_ limits: Part) {
        let known = ServerLimits.all
        for (name, part) in readObject(limits) ?? [] {
            guard let limit = known.first(where: { $0.name == name }) else {
                report(.unknownKey(at: part.place, known: known.map(\.name)))
                continue
            }
            let wanted = "an integer from \(limit.range.lowerBound) to \(limit.range.upperBound)"
            let number = read(part, wanted) { value in
                value.int.flatMap(Int.init(exactly:)).flatMap { limit.range.contains($0) ? $0 : nil }
            }
            if let number { configuration.limits[keyPath: limit.value] = number }
        }
    }
}
