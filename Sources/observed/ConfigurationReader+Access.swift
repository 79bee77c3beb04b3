// SPDX-License-Identifier: MIT
// Reads the access rules, which name users and groups. Independent of their effect.

internal import ObserveCore

extension ConfigurationReader {
    private static let subjects = ["user", "uid", "group", "gid"]

    mutating func readAccess(_ access: Value) {
        guard let elements = access.array else {
            return report(.expected("an array of rules", at: ["access"], found: access))
        }
        var rules: [AccessRules.Rule] = []
        for (index, element) in elements.enumerated() {
            if let rule = readRule(element, at: ["access", String(index)]) { rules.append(rule) }
        }
        // An empty list is the same as no rules.
        if !rules.isEmpty { configuration.access = AccessRules(rules) }
    }

    private mutating func readRule(_ rule: Value, at place: [String]) -> AccessRules.Rule? {
        let wanted = "one of \(Self.subjects.joined(separator: ", "))"
        guard let members = rule.object else {
            report(.expected("an object with \(wanted)", at: place, found: rule))
            return nil
        }
        refuseOthers(in: members, known: Self.subjects + ["read", "write"], at: place)
        let named = Self.subjects.filter { members[$0] != nil }
        if named.isEmpty { report(.missing(wanted, at: place)) }
        if named.count > 1 {
            let found = named.joined(separator: " and ")
            report(ConfigurationFault(at: place, "expected \(wanted), found \(found)"))
        }
        var subject: AccessRules.Subject?
        for name in named {
            subject = members[name].flatMap { readSubject($0, named: name, at: place + [name]) }
        }
        let read = readPrefixes(members["read"], isWritten: false, at: place + ["read"])
        let write = readPrefixes(members["write"], isWritten: true, at: place + ["write"])
        return subject.map {
            AccessRules.Rule($0, read: read.map(PathPrefix.init), write: write.map(PathPrefix.init))
        }
    }

    private mutating func readSubject(
        _ value: Value,
        named kind: String,
        at place: [String]
    ) -> AccessRules.Subject? {
        let number: UInt32?
        if kind == "uid" || kind == "gid" {
            // The last number means "no user" to the system.
            number = value.int.flatMap(UInt32.init(exactly:)).flatMap { $0 == .max ? nil : $0 }
            if number == nil {
                report(.expected("an integer from 0 to \(UInt32.max - 1)", at: place, found: value))
            }
        } else {
            guard let name = readString(value, "the name of a \(kind)", at: place) else { return nil }
            number = kind == "user" ? Platform.uid(named: name) : Platform.gid(named: name)
            if number == nil { report(ConfigurationFault(at: place, "unknown \(kind) \(name)")) }
        }
        return number.map { kind == "user" || kind == "uid" ? .user($0) : .group($0) }
    }

    /// The names along each path. An empty path, in either form, means all paths.
    private mutating func readPrefixes(
        _ value: Value?,
        isWritten: Bool,
        at place: [String]
    ) -> [[String]] {
        guard let value else { return [] }
        guard let elements = value.array else {
            report(.expected("an array of key paths", at: place, found: value))
            return []
        }
        var prefixes: [[String]] = []
        for (index, element) in elements.enumerated() {
            if element.string == "" || element.array?.isEmpty == true {
                prefixes.append([])
            } else if let names = names(of: element, at: place + [String(index)]) {
                prefixes.append(names)
                guard isWritten, names[0] == "observed" else { continue }
                let message = "this root is the daemon's own, and is read-only"
                report(ConfigurationFault(at: place + [String(index)], message))
            }
        }
        return prefixes
    }
}
