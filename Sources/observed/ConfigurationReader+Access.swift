// SPDX-License-Identifier: MIT
// Reads the access rules, which name users and groups. Independent of their effect.

internal import ObserveCore

extension ConfigurationReader {
    private static let subjects = ["user", "uid", "group", "gid"]

    mutating func readAccess(_ access: Part) {
        let rules = readArray(access, "an array of rules").compactMap { readRule($0) }
        // An empty list is the same as no rules.
        if !rules.isEmpty { configuration.access = AccessRules(rules) }
    }

    private mutating func readRule(_ rule: Part) -> AccessRules.Rule? {
        let wanted = "one of \(Self.subjects.joined(separator: ", "))"
        let known = Self.subjects + ["read", "write"]
        guard readObject(rule, "an object with \(wanted)", known: known) != nil else { return nil }
        let named = Self.subjects.filter { rule[$0].value != nil }
        if named.isEmpty { report("missing, expected \(wanted)", at: rule) }
        if named.count > 1 {
            report("expected \(wanted), found \(named.joined(separator: " and "))", at: rule)
        }
        var subject: AccessRules.Subject?
        for name in named { subject = readSubject(rule[name], named: name) }
        let read = readPrefixes(rule["read"], isWritten: false)
        let write = readPrefixes(rule["write"], isWritten: true)
        return subject.map {
            AccessRules.Rule($0, read: read.map(PathPrefix.init), write: write.map(PathPrefix.init))
        }
    }

    private mutating func readSubject(_ part: Part, named kind: String) -> AccessRules.Subject? {
        let number: UInt32?
        if kind == "uid" || kind == "gid" {
            number = read(part, "an integer from 0 to \(UInt32.max - 1)") { value in
                // The last number means "no user" to the system.
                value.int.flatMap(UInt32.init(exactly:)).flatMap { $0 == .max ? nil : $0 }
            }
        } else {
            guard let name = readString(part, "the name of a \(kind)") else { return nil }
            number = kind == "user" ? Platform.uid(named: name) : Platform.gid(named: name)
            if number == nil { report("unknown \(kind) \(name)", at: part) }
        }
        return number.map { kind == "user" || kind == "uid" ? .user($0) : .group($0) }
    }

    /// The names along each path. An empty path, in either form, means all paths.
    private mutating func readPrefixes(_ part: Part, isWritten: Bool) -> [[String]] {
        var prefixes: [[String]] = []
        for path in readArray(part, "an array of key paths") {
            if path.value?.string == "" || path.value?.array?.isEmpty == true {
                prefixes.append([])
            } else if let names = names(of: path) {
                prefixes.append(names)
                guard isWritten, names[0] == "observed" else { continue }
                report("this root is the daemon's own, and is read-only", at: path)
            }
        }
        return prefixes
    }
}
