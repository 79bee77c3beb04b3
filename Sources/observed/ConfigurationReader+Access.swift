// SPDX-License-Identifier: MIT
// Reads the access rules, which name users and groups. Independent of their effect.

internal import ObserveCore

extension ConfigurationReader {
    private static let subjects = ["user", "uid", "group", "gid"]

    mutating func readAccess(_ access: Value) {
        let rules = readArray(access, "an array of rules", at: ["access"]).compactMap {
            readRule($0.element, at: $0.place)
        }
        // An empty list is the same as no rules.
        if !rules.isEmpty { configuration.access = AccessRules(rules) }
    }

    private mutating func readRule(_ rule: Value, at place: [String]) -> AccessRules.Rule? {
        let wanted = "one of \(Self.subjects.joined(separator: ", "))"
        let known = Self.subjects + ["read", "write"]
        guard let members = readObject(rule, "an object with \(wanted)", known: known, at: place) else {
            return nil
        }
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
        var prefixes: [[String]] = []
        for (element, place) in readArray(value, "an array of key paths", at: place) {
            if element.string == "" || element.array?.isEmpty == true {
                prefixes.append([])
            } else if let names = names(of: element, at: place) {
                prefixes.append(names)
                guard isWritten, names[0] == "observed" else { continue }
                let message = "this root is the daemon's own, and is read-only"
                report(ConfigurationFault(at: place, message))
            }
        }
        return prefixes
    }
}
