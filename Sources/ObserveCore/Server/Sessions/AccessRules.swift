// SPDX-License-Identifier: MIT
// Rules for users other than the daemon's own and root. Independent of methods and of the tree.

struct Access: OptionSet, Sendable {
    let rawValue: UInt8

    static let read = Access(rawValue: 1)
    static let write = Access(rawValue: 2)
}

/// The first components of paths. Covers all paths that begin with them; without any, all paths.
package struct PathPrefix: Equatable, Sendable {
    private let names: [[UInt8]]

    package init(_ names: [String]) { self.names = names.map { Array($0.utf8) } }

    fileprivate var isEverything: Bool { names.isEmpty }

    /// Whether the path's first components are these. All of them must be names: a pattern may match anything below its literal
    /// head, and an operator reads the value before it.
    fileprivate func covers(_ path: ParsedKeyPath, first count: Int) -> Bool {
        names.count <= count
            && names.indices.allSatisfy { path.kind($0) == .name && isName($0, path.name($0)) }
    }

    fileprivate var dotted: String {
        DottedKeyPath.text(of: names.map { String(decoding: $0, as: UTF8.self) })
    }

    /// Whether some path at or below the root begins with these components.
    fileprivate func leads(into root: ByteView) -> Bool { names.isEmpty || isName(0, root) }

    private func isName(_ index: Int, _ name: ByteView) -> Bool { ByteView.with(names[index]) { $0 == name } }
}

/// The access of one restricted client: the sum of all rules that match it.
/// - Cost: a comparison for each prefix, until one covers the path. Unrestricted sessions have no grant.
final class Grant: Sendable {
    private let readable: [PathPrefix]
    private let writable: [PathPrefix]

    init(read: [PathPrefix], write: [PathPrefix]) {
        readable = read
        writable = write
    }

    /// Whether all of `access` is granted for the path that the first `count` components make.
    func allows(_ access: Access, at path: ParsedKeyPath, first count: Int) -> Bool {
        // A condition may read all of the value at its component.
        let count = path.firstCondition.map { min(count, $0 + 1) } ?? count
        return allows(access) { $0.covers(path, first: count) }
    }

    func allowsEverything(_ access: Access) -> Bool { allows(access, where: \.isEverything) }

    private func allows(_ access: Access, where isSuch: (PathPrefix) -> Bool) -> Bool {
        (!access.contains(.read) || readable.contains(where: isSuch))
            && (!access.contains(.write) || writable.contains(where: isSuch))
    }

    /// The paths at and below which the client may read; the empty one stands for all.
    var readablePaths: [String] { readable.map(\.dotted) }

    func allowsReading(partOf root: ByteView) -> Bool { readable.contains { $0.leads(into: root) } }
}

/// The `access` of the configuration: "Access" in `docs/protocol.md`.
package struct AccessRules: Equatable, Sendable {
    /// The user or group of a rule, by the kernel's numbers.
    package enum Subject: Equatable, Sendable {
        case user(UInt32)
        /// Users with that group, or with it as a supplementary one.
        case group(UInt32)
    }

    package struct Rule: Equatable, Sendable {
        package let subject: Subject
        package let read: [PathPrefix]
        package let write: [PathPrefix]

        package init(_ subject: Subject, read: [PathPrefix], write: [PathPrefix]) {
            self.subject = subject
            self.read = read
            self.write = write
        }
    }

    enum Admission {
        case everything
        case restricted(Grant)
        case refused
    }

    package let rules: [Rule]

    package init(_ rules: [Rule]) { self.rules = rules }

    /// - Parameter owner: the daemon's own user.
    /// - Parameter groups: returns the peer's supplementary groups; called only for other users.
    func admission(of peer: PeerCredentials, groups: () -> [UInt32], owner: UInt32) -> Admission {
        if peer.uid == owner || peer.uid == 0 { return .everything }
        let groups = Set(groups()).union([peer.gid])
        let fitting = rules.filter { rule in
            switch rule.subject {
            case .user(let uid): uid == peer.uid
            case .group(let gid): groups.contains(gid)
            }
        }
        guard !fitting.isEmpty else { return .refused }
        return .restricted(Grant(read: fitting.flatMap(\.read), write: fitting.flatMap(\.write)))
    }
}
