// SPDX-License-Identifier: MIT
// Socket activation: the daemon serves a socket that the service manager passed. Independent of systemd.

import Glibc
import ObserveCore
import Testing

@Suite(.timeLimit(.minutes(15))) struct ActivationTests {
    private static let ping = #"{"id":1,"method":"ping"}"#
    private static let strangers = #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"accessDenied"}}"#

    private let directory: TemporaryDirectory
    private let path: String
    /// The manager's own end, which stays open.
    private let listener: UnixListener

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("s")
        listener = try UnixListener.listen(path: path, mode: 0o666)
    }

    private func start(
        _ arguments: [String] = [],
        passing descriptors: [Int32]? = nil,
        names: String = ""
    ) throws -> ChildProcess {
        try ServiceUnderTest.start(
            ["--config", "none"] + arguments,
            environment: ["LISTEN_FDNAMES": names],
            passing: descriptors ?? [listener.number]
        )
    }

    @Test func `clients wait on the passed socket before, between and after daemons`() throws {
        for _ in 0..<2 {
            let client = try LineConnection(path: path)
            try client.send(Self.ping)
            let daemon = try start()
            #expect(try client.readLine() != nil)
            daemon.signal(SIGTERM)
            #expect(try daemon.finish().status == .exited(0))
            #expect(FileKind.of(path) == .socket)
        }
        _ = try LineConnection(path: path)
    }

    @Test func `--socket may name the passed socket by another path`() throws {
        for option in [path, directory.path("./s")] {
            let daemon = try start(["--socket", option])
            try daemon.readLine(containing: "ready on \(path)", from: .errors)
            #expect(try LineConnection(path: path).ask(Self.ping) != nil)
        }
    }

    @Test func `of several sockets the daemon serves the one named observed`() throws {
        let other = try UnixListener.listen(path: directory.path("other"))
        let daemon = try start(passing: [other.number, listener.number], names: "http:observed")
        try daemon.readLine(containing: "ready on \(path)", from: .errors)
        #expect(try LineConnection(path: path).ask(Self.ping) != nil)
    }

    /// Without root, only the owner can connect.
    @Test func `without rules a passed socket serves its owner and root, whatever its mode`() throws {
        try #require(unsafe chmod(directory.path, 0o711) == 0)
        let daemon = try start()
        try daemon.readLine(containing: "ready on \(path)", from: .errors)
        #expect(try LineConnection(path: path).ask(Self.ping) != nil)
        guard OtherUser.isPossible else { return }
        let path = path
        let line = try OtherUser.run(uid: 41001, gid: 41001) { try LineConnection(path: path).readLine() }
        #expect(line == Self.strangers)
    }

    @Test func `a closed socket and rules for other users are a warning`() throws {
        try #require(unsafe chmod(path, 0o600) == 0)
        let file = try directory.write(#"{"access":[{"uid":41001,"read":[""]}]}"#, to: "c.json")
        let daemon = try start(["--config", file])
        try daemon.readLine(
            containing: "the mode of \(path) keeps out the users that access names",
            from: .errors
        )
        try daemon.readLine(containing: "ready on", from: .errors)
        daemon.signal(SIGHUP)
        try daemon.readLine(
            containing: "the socket's mode keeps out the users that access names (SocketMode=)",
            from: .errors
        )
    }

    @Test func `a socket that the daemon can't use is a fault`() throws {
        let datagram = FileDescriptor(owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
        let idle = FileDescriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        let internet = FileDescriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        let file = FileDescriptor(owning: unsafe open("/dev/null", O_RDONLY))
        for number in [datagram.number, idle.number, internet.number, file.number] {
            let end = try start(passing: [number]).finish()
            #expect(end.status == .exited(1))
            #expect(end.errors.contains("descriptor 3 is not a listening Unix stream socket"))
        }
        let unbound = try start(passing: [listener.number, listener.number]).finish()
        #expect(unbound.status == .exited(1))
        #expect(
            unbound.errors.contains("the service manager passed 2 sockets, 0 of them with the name observed")
        )
    }

    @Test func `a different --socket is a fault`() throws {
        let end = try start(["--socket", directory.path("other")]).finish()
        #expect(end.status == .exited(1))
        #expect(
            end.errors.contains(
                "--socket is \(directory.path("other")), but the service manager passed the socket \(path)"
            )
        )
        #expect(FileKind.of(path) == .socket)
    }

    @Test func `a daemon that is not the one named by LISTEN_PID binds its own socket`() throws {
        let own = directory.path("own")
        let daemon = try ChildProcess(
            BuiltProducts.observed,
            ["--config", "none", "--state", "none", "--socket", own],
            environment: ["LISTEN_FDS": "1", "LISTEN_PID": "1"],
            inheriting: Inherited(descriptors: [listener.number])
        )
        try daemon.readLine(containing: "ready on \(own)", from: .errors)
    }
}
