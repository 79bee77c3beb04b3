// SPDX-License-Identifier: MIT
// Other users on a real daemon's socket, as the kernel reports them. Without root, only rules about other users.

import Glibc
import ObserveCore
import Testing

struct AccessTests {
    private static let configuration = """
        {
          "models": { "app": { "value": { "volume": 50, "title": "Alien" } }, "library": { "value": { "n": 1 } } },
          "access": [
            { "uid": 41001, "read": ["app"], "write": ["app.volume"] },
            { "gid": 41002, "read": ["library"] }
          ]
        }
        """
    private static let strangers = #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"accessDenied"}}"#

    /// A daemon whose folder other users may enter.
    private func daemon(_ configuration: String) throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest(configuration: configuration)
        try #require(unsafe chmod(daemon.directory.path, 0o711) == 0)
        return daemon
    }

    private func mode(of path: String) -> mode_t {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    private func get(_ path: String) -> String { #"{"id":1,"method":"get","params":{"path":"\#(path)"}}"# }

    private func isDenied(_ answer: String?) -> Bool { answer?.contains(#""name":"accessDenied""#) == true }

    @Test func `the socket is open to all with rules, and to its owner alone without`() throws {
        for (configuration, expected) in [
            (AccessTests.configuration, 0o666), (#"{"access":[]}"#, 0o600), ("{}", 0o600),
        ] as [(String, mode_t)] {
            let daemon = try daemon(configuration)
            #expect(mode(of: daemon.socket) == expected)
            #expect(try daemon.stop().status == .exited(0))
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `rules about others restrict neither the daemon's own user nor its children`() throws {
        let daemon = try daemon(AccessTests.configuration)
        let connection = try daemon.connect()
        for path in ["app", "library", "observed"] {
            #expect(try connection.ask(get(path))?.contains(#""result""#) == true)
        }
        let set = #"{"id":1,"method":"set","params":{"path":"library.n","value":2}}"#
        #expect(try connection.ask(set)?.contains(#""changed":true"#) == true)
        #expect(try daemon.observectl("set", "app.title", "Brazil").status == .exited(0))
    }

    @Test(.timeLimit(.minutes(15)))
    func `others may do what the rules grant their user and groups`() throws {
        let daemon = try daemon(AccessTests.configuration)
        // Without root, the test connects as the daemon's own user, which no rule names.
        guard OtherUser.isPossible else {
            #expect(try daemon.connect().ask(get("app.volume"))?.contains(#""value":50"#) == true)
            return
        }
        let connect = { (uid: UInt32, gid: UInt32, groups: [UInt32]) in
            try OtherUser.run(uid: uid, gid: gid, groups: groups) { try daemon.connect() }
        }
        let volume = #"{"id":1,"method":"set","params":{"path":"app.volume","value":51}}"#
        let title = #"{"id":1,"method":"set","params":{"path":"app.title","value":"x"}}"#

        let user = try connect(41001, 41001, [])
        #expect(try user.ask(get("app.volume"))?.contains(#""value":50"#) == true)
        #expect(try user.ask(volume)?.contains(#""changed":true"#) == true)
        #expect(isDenied(try user.ask(title)))
        #expect(isDenied(try user.ask(get("library"))))
        #expect(try user.ask(#"{"id":1,"method":"status"}"#)?.contains(#""connections":1"#) == true)

        for member in [try connect(41003, 41002, []), try connect(41003, 41003, [7, 41002])] {
            #expect(try member.ask(get("library.n"))?.contains(#""value":1"#) == true)
            #expect(isDenied(try member.ask(get("app"))))
            #expect(isDenied(try member.ask(volume)))
        }

        let both = try connect(41001, 41001, [41002])
        #expect(try both.ask(get("library.n"))?.contains(#""value":1"#) == true)
        #expect(try both.ask(get("app.volume"))?.contains(#""value":51"#) == true)

        for stranger in [try connect(41003, 41003, []), try connect(41002, 41001, [41001])] {
            #expect(try stranger.readLine() == AccessTests.strangers)
            #expect(try stranger.readLine() == nil)
        }
        let root = try connect(0, 41003, [])
        #expect(try root.ask(get("library.n"))?.contains(#""value":1"#) == true)

        // The daemon keeps all other connections, and refuses a user that no rule admits.
        #expect(try user.ask(get("app.volume"))?.contains(#""value":51"#) == true)
        let closed = try self.daemon("{}")
        #expect(throws: SocketError.self) {
            try OtherUser.run(uid: 41001, gid: 41001) { try closed.connect() }
        }
    }

    /// The daemon's own user keeps its connection; the daemon closes the others', which may connect again.
    @Test(.timeLimit(.minutes(15)))
    func `reloaded rules apply to connected clients too`() throws {
        let daemon = try daemon(AccessTests.configuration)
        let owner = try daemon.connect()
        let isOther = OtherUser.isPossible
        let connect = { (uid: UInt32) in
            isOther
                ? try OtherUser.run(uid: uid, gid: uid) { try daemon.connect() } : try daemon.connect()
        }
        let user = try connect(41001)
        #expect(try user.ask(get("app.volume"))?.contains(#""value":50"#) == true)
        let reload = { (text: String) in
            _ = try daemon.directory.write(text, to: "observed.json")
            daemon.process.signal(SIGHUP)
            try daemon.process.readLine(containing: "was read again", from: .errors)
        }
        // The rules are equal, so the daemon closes no connection.
        try reload(AccessTests.configuration)
        #expect(try user.ask(get("app.volume"))?.contains(#""value":50"#) == true)

        try reload(#"{"access":[{"uid":41003,"read":[""]}]}"#)
        #expect(try owner.ask(get("library.n"))?.contains(#""value":1"#) == true)
        if isOther {
            let goodbye = #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"accessChanged"}}"#
            #expect(try user.readLine() == goodbye)
            #expect(try user.readLine() == nil)
            #expect(try connect(41001).readLine() == AccessTests.strangers)
        }
        #expect(try connect(41003).ask(get("library.n"))?.contains(#""value":1"#) == true)

        try reload("{}")
        #expect(try owner.ask(get("library.n"))?.contains(#""value":1"#) == true)
        if isOther { #expect(try connect(41003).readLine() == AccessTests.strangers) }
    }

    @Test(.timeLimit(.minutes(15)))
    func `a socket for its owner alone stays so until a restart`() throws {
        let daemon = try daemon("{}")
        _ = try daemon.directory.write(AccessTests.configuration, to: "observed.json")
        daemon.process.signal(SIGHUP)
        try daemon.process.readLine(containing: "access) after a restart", from: .errors)
        #expect(mode(of: daemon.socket) == 0o600)
        #expect(try daemon.connect().ask(get("library.n"))?.contains(#""value":1"#) == true)
    }

    /// One client leaves its answers unread, so the former program waits for it. Meanwhile another user connects to the
    /// former socket, and waits for the next program.
    @Test(.timeLimit(.minutes(15)), .enabled(if: OtherUser.isPossible, "other users need root"))
    func `after an upgrade without rules, a user who connected before is refused`() throws {
        let daemon = try daemon(AccessTests.configuration)
        let text = String(repeating: "x", count: 100_000)
        let owner = try daemon.connect()
        _ = try owner.ask(#"{"id":1,"method":"set","params":{"path":"long","value":"\#(text)"}}"#)
        let idle = try daemon.connect()
        try idle.send(Array(repeating: get("long"), count: 100).joined(separator: "\n"))
        #expect(try owner.ask(get("library.n"))?.contains(#""value":1"#) == true)
        try daemon.directory.write("{}", to: "observed.json")
        daemon.process.signal(SIGUSR2)
        #expect(try owner.readLine()?.contains(#""upgrade""#) == true)
        // Once the next program has closed the socket to others, the connection fails.
        if let user = try? OtherUser.run(uid: 41001, gid: 41001, { try daemon.connect() }) {
            #expect(try user.readLine() == AccessTests.strangers)
            #expect(try user.readLine() == nil)
        }
        try daemon.process.readLine(containing: "after an upgrade", from: .errors)
        #expect(mode(of: daemon.socket) == 0o600)
        withExtendedLifetime(idle) {}
    }

    /// The rule of the document's example.
    private static let grants = #""read": ["app"], "write": ["app.volume"]"#

    /// The sample configuration, with a rule for the members of a group.
    private static func sample(_ grants: String) -> String {
        #"{"access": [ { "group": "root", \#(grants) } ],"#
            + Document.text("config/observed.json").dropFirst()
    }

    /// The document's example: a member of the group.
    @Test(
        .timeLimit(.minutes(15)),
        arguments: Document.blocks("transcript-of-another-user", in: "docs/protocol.md")
    )
    func `the daemon answers another user as the document shows`(transcript: Block) throws {
        try replay(transcript, AccessTests.sample(AccessTests.grants))
    }

    /// The document's example: as above, with a grant to write alone.
    @Test(
        .timeLimit(.minutes(15)),
        arguments: Document.blocks("transcript-of-a-writer", in: "docs/protocol.md")
    )
    func `the daemon answers a writer as the document shows`(transcript: Block) throws {
        try replay(transcript, AccessTests.sample(#""write": ["app"]"#))
    }

    private func replay(_ transcript: Block, _ configuration: String) throws {
        let daemon = try daemon(configuration)
        let isOther = OtherUser.isPossible
        let connection =
            isOther ? try OtherUser.run(uid: 41003, gid: 0) { try daemon.connect() } : try daemon.connect()
        try connection.replay(transcript) { shown, said in
            // The daemon refuses its own user nothing.
            if isOther {
                #expect(Document.matches(shown, "< \(said)"), "shown: \(shown)\nsaid:  < \(said)")
            } else {
                #expect(!isDenied(said))
            }
        }
    }

    @Test func `the document has an example of another user`() {
        #expect(
            Document.text("docs/protocol.md").contains(
                #"    "access": [ { "group": "root", \#(AccessTests.grants) } ]"#
            )
        )
        #expect(!Document.blocks("transcript-of-another-user", in: "docs/protocol.md").isEmpty)
        #expect(!Document.blocks("transcript-of-a-writer", in: "docs/protocol.md").isEmpty)
    }
}
