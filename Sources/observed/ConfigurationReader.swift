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
        guard let members = document.object else {
            return report(.expected("an object", at: [], found: document))
        }
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
    }

    mutating func report(_ fault: ConfigurationFault) { faults.append(fault) }
}

// MARK: - Shared by all parts

extension ConfigurationReader {
    mutating func refuseOthers(in members: ValueMembers, known: [String], at place: [String]) {
        for (key, _) in members where !known.contains(key) {
            report(.unknownKey(at: place + [key], known: known))
        }
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
        guard let members = journal.object else {
            return report(.expected("an object", at: ["journal"], found: journal))
        }
        refuseOthers(in: members, known: ["durability"], at: ["journal"])
        guard let wanted = members["durability"] else { return }
        let place = ["journal", "durability"]
        let names = Durability.allCases.map(\.rawValue).joined(separator: ", ")
        guard let name = wanted.string else {
            return report(.expected("one of \(names)", at: place, found: wanted))
        }
        guard let durability = Durability(rawValue: name) else {
            return report(ConfigurationFault(at: place, "expected one of \(names), found \(name)"))
        }
        configuration.durability = durability
    }
}

// MARK: - Models

private extension ConfigurationReader {
    mutating func readModels(_ models: Value) {
        guard let members = models.object else {
            return report(.expected("an object with a member for each root", at: ["models"], found: models))
        }
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
        guard let members = model.object else {
            report(.expected("an object with a value", at: place, found: model))
            return nil
        }
        for (key, _) in members where key != "value" && key != "type" {
            report(.unknownKey(at: place + [key], known: ["value", "type"]))
        }
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
            if level > limit { return report(.tooDeep(at: place, limit: limit)) }
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

// MARK: - Links

private extension ConfigurationReader {
    mutating func readLinks(_ links: Value) {
        guard let elements = links.array else {
            return report(.expected("an array of links", at: ["links"], found: links))
        }
        for (index, element) in elements.enumerated() { readLink(element, index: index) }
    }

    mutating func readLink(_ link: Value, index: Int) {
        let place = ["links", String(index)]
        guard let members = link.object else {
            return report(.expected("an object with a path and a target", at: place, found: link))
        }
        let known = ["path", "target", "weak"]
        refuseOthers(in: members, known: known, at: place)
        let path = readPath(members["path"], at: place + ["path"])
        let target = readPath(members["target"], at: place + ["target"])
        guard let isWeak = readFlag(members["weak"], at: place + ["weak"]), let path, let target else {
            return
        }
        // The tree can't try a path from or to a faulty root.
        guard configuration.hasModel(path[0]), configuration.hasModel(target[0]) else { return }
        let link = Configuration.Link(
            index: index,
            roots: [path[0], target[0]],
            path: DottedKeyPath.text(of: path),
            target: DottedKeyPath.text(of: target),
            isWeak: isWeak
        )
        configuration.links.append(link)
    }

    /// The names along a key path with a declared root; nil after reporting the fault.
    mutating func readPath(_ value: Value?, at place: [String]) -> [String]? {
        guard let value else {
            report(.missing("a key path", at: place))
            return nil
        }
        guard let names = names(of: value, at: place) else { return nil }
        guard declared[names[0]] != nil else {
            report(.undeclaredRoot(names[0], at: place))
            return nil
        }
        return names
    }
}

// MARK: - Bindings

private extension ConfigurationReader {
    mutating func readBindings(_ bindings: Value) {
        guard let elements = bindings.array else {
            return report(.expected("an array of bindings", at: ["bindings"], found: bindings))
        }
        let limit = configuration.limits.tree.maxBindings
        guard elements.count <= limit else {
            let bindings = limit == 1 ? "binding" : "bindings"
            let wanted = "expected at most \(limit) \(bindings) (limits.maxBindings), found \(elements.count)"
            return report(ConfigurationFault(at: ["bindings"], wanted))
        }
        for (index, element) in elements.enumerated() { readBinding(element, index: index) }
    }

    mutating func readBinding(_ binding: Value, index: Int) {
        let place = ["bindings", String(index)]
        guard let members = binding.object else {
            return report(.expected("an object with a source and a target", at: place, found: binding))
        }
        refuseOthers(in: members, known: ["source", "target", "twoWay"], at: place)
        let source = readReadablePath(members["source"], at: place + ["source"])
        let target = readPath(members["target"], at: place + ["target"])
        guard let isTwoWay = readFlag(members["twoWay"], at: place + ["twoWay"]), let source, let target
        else {
            return
        }
        // The tree can't try a path from or to a faulty root.
        guard configuration.hasModel(source.root), configuration.hasModel(target[0]) else { return }
        configuration.bindings.append(
            Configuration.Binding(
                index: index,
                roots: [source.root, target[0]],
                source: source.text,
                target: DottedKeyPath.text(of: target),
                isTwoWay: isTwoWay
            )
        )
    }

    /// A key path that may have operators, conditions and choices, and its declared root; nil after reporting the fault.
    mutating func readReadablePath(_ value: Value?, at place: [String]) -> (root: String, text: String)? {
        guard let text = value?.string, text.contains("@") || text.contains("[") else {
            return readPath(value, at: place).map { ($0[0], DottedKeyPath.text(of: $0)) }
        }
        do throws(KeyPathError) {
            let depth = configuration.limits.tree.maxDepth
            guard let root = try DottedKeyPath.readableRoot(of: text, maxDepth: depth) else {
                report(ConfigurationFault(at: place, "expected a path without wildcards"))
                return nil
            }
            if declared[root] != nil { return (root, text) }
            report(.undeclaredRoot(root, at: place))
        } catch {
            report(ConfigurationFault(at: place, error.description))
        }
        return nil
    }
}

// MARK: - Limits

private extension ConfigurationReader {
    mutating func readLimits(_ limits: Value) {
        guard let members = limits.object else {
            return report(.expected("an object", at: ["limits"], found: limits))
        }
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
