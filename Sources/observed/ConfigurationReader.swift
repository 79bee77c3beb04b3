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
        guard let members = readObject(document, at: []) else { return }
        declared = document["models"]?.object ?? ValueMembers()
        // The limits first: they bound the paths of links.
        if let limits = document["limits"] { readLimits(limits) }
        for (name, value) in members {
            switch name {
            case "types": readTypes(value)
            case "models": readModels(value)
            case "closed": configuration.isClosed = readFlag(value, at: ["closed"]) ?? false
            case "links": readLinks(value)
            case "bindings": readBindings(value)
            // For editors: the place of docs/observed.schema.json.
            case "limits", "$schema": break
            case "journal": readJournal(value)
            case "access": readAccess(value)
            default: report(.unknownKey(at: [name], known: Self.keys))
            }
        }
        // The tree can't try a path from or to a faulty root.
        let sound = ValueMembers(configuration.models.map { ($0.name, .null) })
        configuration.links.removeAll { $0.roots.contains { sound[$0] == nil } }
        configuration.bindings.removeAll { $0.roots.contains { sound[$0] == nil } }
    }

    mutating func report(_ fault: ConfigurationFault) { faults.append(fault) }
}

// MARK: - Shared by all parts

extension ConfigurationReader {
    /// The members; nil after reporting that the value is not an object. Reports members that are not known.
    mutating func readObject(
        _ value: Value,
        _ wanted: String = "an object",
        known: [String]? = nil,
        at place: [String]
    ) -> ValueMembers? {
        guard let members = value.object else {
            report(.expected(wanted, at: place, found: value))
            return nil
        }
        for (key, _) in members where known?.contains(key) == false {
            report(.unknownKey(at: place + [key], known: known ?? []))
        }
        return members
    }

    /// The elements, with the place of each; none after reporting that the value is not an array.
    mutating func readArray(
        _ value: Value,
        _ wanted: String,
        at place: [String]
    ) -> [(element: Value, place: [String])] {
        if value.array == nil { report(.expected(wanted, at: place, found: value)) }
        return (value.array ?? []).enumerated().map { ($0.element, place + [String($0.offset)]) }
    }

    /// False without a value; nil after reporting that it is not a boolean.
    mutating func readFlag(_ value: Value?, at place: [String]) -> Bool? {
        guard let value else { return false }
        if let flag = value.bool { return flag }
        report(.expected("true or false", at: place, found: value))
        return nil
    }

    /// The names along a literal key path; nil after reporting why it is not one.
    mutating func names(of value: Value, at place: [String]) -> [String]? {
        guard let text = dotted(value) else {
            let wanted = "a key path: a string, or an array of strings and integers"
            report(.expected(wanted, at: place, found: value))
            return nil
        }
        do throws(KeyPathError) {
            let depth = configuration.limits.tree.maxDepth
            if let names = try DottedKeyPath.literalNames(of: text, maxDepth: depth) { return names }
            report(ConfigurationFault(at: place, "expected a path without wildcards and operators"))
        } catch {
            report(ConfigurationFault(at: place, error.description))
        }
        return nil
    }

    /// A key path in dotted form, from either of its two forms.
    func dotted(_ value: Value) -> String? {
        if let text = value.string { return text }
        guard let elements = value.array else { return nil }
        var names: [String] = []
        for element in elements {
            switch element {
            case .string(let name): names.append(name)
            case .int(let index): names.append(String(index))
            default: return nil
            }
        }
        return DottedKeyPath.text(of: names)
    }
}

// MARK: - The journal

private extension ConfigurationReader {
    mutating func readJournal(_ journal: Value) {
        let place = ["journal", "durability"]
        let names = Durability.allCases.map(\.rawValue).joined(separator: ", ")
        guard let members = readObject(journal, known: ["durability"], at: ["journal"]),
            let name = readString(members["durability"], "one of \(names)", at: place)
        else { return }
        guard let durability = Durability(rawValue: name) else {
            return report(ConfigurationFault(at: place, "expected one of \(names), found \(name)"))
        }
        configuration.durability = durability
    }
}

// MARK: - Models

private extension ConfigurationReader {
    mutating func readModels(_ models: Value) {
        let wanted = "an object with a member for each root"
        guard let members = readObject(models, wanted, at: ["models"]) else { return }
        for (name, model) in members {
            let before = faults.count
            let read = readModel(model, named: name)
            if faults.count == before, let read { configuration.models.append(read) }
        }
    }

    mutating func readModel(_ model: Value, named name: String) -> Configuration.Model? {
        let place = ["models", name]
        if name == "observed" {
            report(ConfigurationFault(at: place, "this root is the daemon's own, expected another name"))
        }
        guard let members = readObject(model, "an object with a value", known: ["value", "type"], at: place)
        else { return nil }
        let type = readString(members["type"], "a type", at: place + ["type"])
        let value = members["value"]
        if let value {
            check(value, at: place + ["value"], level: 1)
        } else if members["type"] == nil {
            report(.missing("the root's value", at: place + ["value"]))
        }
        return Configuration.Model(name: name, type: type, value: value)
    }
}

// MARK: - Values

extension ConfigurationReader {
    /// The text; nil if there is none, or after reporting that it is not a string.
    mutating func readString(_ value: Value?, _ wanted: String, at place: [String]) -> String? {
        guard let value else { return nil }
        if value.string == nil { report(.expected(wanted, at: place, found: value)) }
        return value.string
    }

    /// Reports a value with too many levels.
    mutating func check(_ value: Value, at place: [String], level: Int) {
        let limit = configuration.limits.tree.maxDepth
        switch value {
        case .object, .array:
            if level > limit {
                let message = "nests too deep, expected at most \(limit) levels (limits.maxDepth)"
                return report(ConfigurationFault(at: place, message))
            }
        default: return
        }
        for (name, inside) in value.object ?? ValueMembers() {
            check(inside, at: place + [name], level: level + 1)
        }
        for (index, inside) in (value.array ?? []).enumerated() {
            check(inside, at: place + [String(index)], level: level + 1)
        }
    }
}

// MARK: - Links and bindings

private extension ConfigurationReader {
    mutating func readLinks(_ links: Value) {
        let elements = readArray(links, "an array of links", at: ["links"])
        configuration.links = readPairs(elements, from: "path", option: "weak")
    }

    mutating func readBindings(_ bindings: Value) {
        let elements = readArray(bindings, "an array of bindings", at: ["bindings"])
        let limit = configuration.limits.tree.maxBindings
        guard elements.count <= limit else {
            let bindings = limit == 1 ? "binding" : "bindings"
            let wanted = "expected at most \(limit) \(bindings) (limits.maxBindings), found \(elements.count)"
            return report(ConfigurationFault(at: ["bindings"], wanted))
        }
        configuration.bindings = readPairs(elements, from: "source", option: "twoWay", isReadable: true)
    }

    /// The pairs without faults.
    ///
    /// - Parameters:
    ///   - source: The name of the first path; the second one is the `target`.
    ///   - isReadable: Whether the first path may have operators, conditions and choices.
    mutating func readPairs(
        _ elements: [(element: Value, place: [String])],
        from source: String,
        option: String,
        isReadable: Bool = false
    ) -> [Configuration.PathPair] {
        var pairs: [Configuration.PathPair] = []
        for (index, (element, place)) in elements.enumerated() {
            let wanted = "an object with a \(source) and a target"
            guard let members = readObject(element, wanted, known: [source, "target", option], at: place)
            else {
                continue
            }
            let path = readPath(members[source], isReadable: isReadable, at: place + [source])
            let target = readPath(members["target"], at: place + ["target"])
            guard let isSet = readFlag(members[option], at: place + [option]), let path, let target else {
                continue
            }
            pairs.append(
                Configuration.PathPair(
                    index: index,
                    roots: [path.root, target.root],
                    source: path.text,
                    target: target.text,
                    option: isSet
                )
            )
        }
        return pairs
    }

    /// A key path with a declared root; nil after reporting the fault.
    ///
    /// - Parameter isReadable: whether it may have operators, conditions and choices.
    mutating func readPath(
        _ value: Value?,
        isReadable: Bool = false,
        at place: [String]
    ) -> (root: String, text: String)? {
        guard let value else {
            report(.missing("a key path", at: place))
            return nil
        }
        let path: (root: String, text: String)?
        if isReadable, let text = value.string, text.contains(where: { "@[*".contains($0) }) {
            path = readableRoot(of: text, at: place).map { ($0, text) }
        } else {
            path = names(of: value, at: place).map { ($0[0], DottedKeyPath.text(of: $0)) }
        }
        guard let path, declared[path.root] == nil else { return path }
        let root = DottedKeyPath.text(of: [path.root])
        report(ConfigurationFault(at: place, "the root \(root) is not declared, expected one in models"))
        return nil
    }

    private mutating func readableRoot(of text: String, at place: [String]) -> String? {
        do throws(KeyPathError) {
            let depth = configuration.limits.tree.maxDepth
            if let root = try DottedKeyPath.readableRoot(of: text, maxDepth: depth) { return root }
            report(ConfigurationFault(at: place, "expected a path without wildcards"))
        } catch {
            report(ConfigurationFault(at: place, error.description))
        }
        return nil
    }
}

// MARK: - Limits

private extension ConfigurationReader {
    mutating func readLimits(_ limits: Value) {
        guard let members = readObject(limits, at: ["limits"]) else { return }
        let known = ServerLimits.all
        for (name, value) in members {
            let place = ["limits", name]
            guard let limit = known.first(where: { $0.name == name }) else {
                report(.unknownKey(at: place, known: known.map(\.name)))
                continue
            }
            guard let number = value.int.flatMap(Int.init(exactly:)), limit.range.contains(number) else {
                let range = "an integer from \(limit.range.lowerBound) to \(limit.range.upperBound)"
                report(.expected(range, at: place, found: value))
                continue
            }
            configuration.limits[keyPath: limit.value] = number
        }
    }
}
