// SPDX-License-Identifier: MIT
// The rules that admit a client, and its grants.

import Testing

@testable import ObserveCore

struct AccessRulesTests {
    private func peer(_ uid: UInt32, _ gid: UInt32 = 9000) -> PeerCredentials {
        PeerCredentials(pid: 1, uid: uid, gid: gid)
    }

    /// The client's rights to some paths, as `r` and `w` before each; nil if no rule admits it.
    private func rights(
        _ rules: [AccessRules.Rule],
        _ peer: PeerCredentials,
        groups: [UInt32] = [],
        owner: UInt32 = 1000
    ) -> [String]? {
        let paths = ["app", "app.volume", "library"]
        switch AccessRules(rules).admission(of: peer, groups: { groups }, owner: owner) {
        case .refused: return nil
        case .everything: return ["everything"]
        case .restricted(let grant):
            return paths.compactMap { text in
                let path = parsed(text)
                let read = grant.allows(.read, at: path, first: path.count) ? "r" : ""
                let write = grant.allows(.write, at: path, first: path.count) ? "w" : ""
                #expect(grant.allows([.read, .write], at: path, first: path.count) == (read + write == "rw"))
                return read + write == "" ? nil : "\(read)\(write) \(text)"
            }
        }
    }

    private func parsed(_ text: String) -> ParsedKeyPath {
        let path = ParsedKeyPath(maxDepth: 64)
        do { try path.parse(dotted: text) } catch { Issue.record("\(text): \(error)") }
        return path
    }

    private let app = PathPrefix(["app"])
    private let volume = PathPrefix(["app", "volume"])
    private let library = PathPrefix(["library"])

    @Test func `the daemon's own user and root may do everything under any rules`() {
        let rules = [AccessRules.Rule(.user(1000), read: [], write: [])]
        #expect(rights(rules, peer(1000)) == ["everything"])
        #expect(rights(rules, peer(0)) == ["everything"])
        #expect(rights([], peer(1000)) == ["everything"])
        // Group 0 is not user 0: a number belongs to a user or to a group.
        #expect(rights(rules, peer(1001, 0)) == nil)
        #expect(rights(rules, peer(1001, 1000), groups: [1000]) == nil)
    }

    @Test func `a rule admits its user, and members of its group`() {
        let byUser = [AccessRules.Rule(.user(7), read: [app], write: [])]
        #expect(rights(byUser, peer(7)) == ["r app", "r app.volume"])
        #expect(rights(byUser, peer(8, 7), groups: [7]) == nil)
        let byGroup = [AccessRules.Rule(.group(7), read: [app], write: [volume])]
        #expect(rights(byGroup, peer(8, 7)) == ["r app", "rw app.volume"])
        #expect(rights(byGroup, peer(8), groups: [3, 7, 5]) == ["r app", "rw app.volume"])
        #expect(rights(byGroup, peer(7), groups: [3, 5]) == nil)
        #expect(rights([], peer(7)) == nil)
    }

    @Test func `grants of several rules add up`() {
        let rules: [AccessRules.Rule] = [
            AccessRules.Rule(.user(7), read: [volume], write: []),
            AccessRules.Rule(.group(20), read: [], write: [library]),
            AccessRules.Rule(.group(21), read: [PathPrefix([])], write: []),
        ]
        #expect(rights(rules, peer(7)) == ["r app.volume"])
        #expect(rights(rules, peer(7, 20)) == ["r app.volume", "w library"])
        #expect(rights(rules, peer(7, 20), groups: [21]) == ["r app", "r app.volume", "rw library"])
        #expect(rights([AccessRules.Rule(.user(7), read: [], write: [])], peer(7)) == [])
    }

    /// Prefixes are components, not characters. A pattern needs a grant for its literal head, an operator for its
    /// container.
    @Test(arguments: [
        ("a.b", true), ("a.b.c", true), ("a.b.0.x", true), ("a", false), ("a.bc", false), ("ab", false),
        ("a.c.b", false), ("a.b.*", true), ("a.b.**", true), ("a.b.*.c", true), ("a.*", false),
        ("a.*.b", false),
        ("**", false), ("*", false), ("*.b", false), ("a.**", false), ("a.b.@count", true),
        ("a.b.@sum.x", true), ("a.@unionOfObjects.b", false), (#"a\.b"#, false), (#"\a.\b"#, true),
        (#"a.\*"#, true), (#"a.\*.x"#, true), (#"\*"#, false),
    ])
    func `a grant covers paths that begin with its components`(text: String, isCovered: Bool) {
        let grant = Grant(read: [PathPrefix(["a", "b"]), PathPrefix(["a", "*"])], write: [])
        let path = parsed(text)
        #expect(grant.allows(.read, at: path, first: path.count) == isCovered)
        #expect(!grant.allows(.write, at: path, first: path.count))
        let all = Grant(read: [], write: [PathPrefix([])])
        #expect(all.allows(.write, at: path, first: path.count))
        #expect(!all.allows(.read, at: path, first: path.count))
    }

    @Test func `only the empty prefix grants everything`() {
        let some = Grant(read: [PathPrefix([])], write: [app, library])
        #expect(some.allowsEverything(.read))
        #expect(!some.allowsEverything(.write))
        #expect(!some.allowsEverything([.read, .write]))
    }
}
