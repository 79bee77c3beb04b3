// SPDX-License-Identifier: MIT
// Benchmarks of the layers Server and Persistence: lines in, lines out, and no socket.

@testable import ObserveCore

func conversationBenchmarks() -> [LayerBenchmark] {
    let unobserved = Party(subscribers: 0)
    let one = Party(subscribers: 1)
    let hundred = Party(subscribers: 100)
    let recorded = Party(subscribers: 0)
    let recorder = LineRecorder(recorded.hub.tree.reader)
    recorded.hub.tree.record(with: recorder)
    let setLines = Bytes((0..<64).map { setLine($0) + "\n" }.joined())
    let getLine = #"{"jsonrpc":"2.0","id":1000,"method":"get","params":{"path":"app.player.title"}}"#
    let getLines = Bytes(String(repeating: getLine + "\n", count: 64))
    return [
        LayerBenchmark("Server: answer a get", unobserved.ask(getLines)),
        LayerBenchmark("Server: answer a set", unobserved.ask(setLines)),
        LayerBenchmark("Server: answer a set, one subscriber", one.ask(setLines)),
        LayerBenchmark("Server: answer a set, 100 subscribers", hundred.ask(setLines)),
        LayerBenchmark("Persistence: write a set as a line of the journal") { [recorded] count in
            recorder.run(count, recorded.hub)
        },
    ] + rebindings()
}

/// A client that links to two models in turn, and one that observes that many of their properties.
private func rebindings() -> [LayerBenchmark] {
    let line =
        #"{"jsonrpc":"2.0","id":1000,"method":"link","params":{"path":"app.now","target":"app.X"}}"# + "\n"
    let lines = Bytes((line.replacing("X", with: "a") + line.replacing("X", with: "b")))
    return [0, 1, 1_000].flatMap { size in
        (size == 0 ? [true] : [true, false]).map { differs in
            LayerBenchmark(
                rebindingTitle("Server", size, differs),
                preparing: {
                    let party = Party(twoModels(of: size, differs))
                    party.join((0..<size).map { "app.now.k\($0)" })
                    return party.ask(lines, count: 2)
                }
            )
        }
    }
}

/// Writes every commit into an unread buffer.
private final class LineRecorder: CommitRecorder {
    private let tree: TreeReader
    private let out = ByteBuffer()
    private var author: CommitAuthor?
    private let path = ParsedKeyPath(maxDepth: 64)
    private let texts = [
        Bytes(#""a title that does not fit into fifteen bytes""#), Bytes(#""another title""#),
    ]

    func record(_ commit: CommitView) -> Bool {
        out.removeAll()
        tree.append(commit, to: out, author: &author, WallClock(offset: 0))
        return true
    }

    func hasRoom(forScalar json: JSONView, of id: PropertyID) -> Bool { false }

    func record(_ commit: CommitView, scalar json: JSONView, of id: PropertyID) {
        preconditionFailure("only the hub takes the fast path")
    }

    init(_ tree: TreeReader) { self.tree = tree }

    func run(_ count: Int, _ hub: Hub) {
        sure { try path.parse(dotted: "app.player.title") }
        for index in 0..<count {
            let value = JSONView(validated: texts[index & 1].view)
            sure { try hub.tree.commit { () throws(TreeError) in _ = try hub.tree.set(path, to: value) } }
        }
    }
}

/// A hub with one client that sends requests and some that observe. All of them read their output at once.
private final class Party: Transport {
    let hub = Hub(limits: ServerLimits(), now: .now)
    private var sessions: [Session] = []

    convenience init(subscribers: Int) {
        self.init(#"{"player":{"title":"Brazil"}}"#)
        for _ in 0..<subscribers { join(["app.player.title"]) }
    }

    /// Only the client that sends requests.
    init(_ app: String) {
        sure { try hub.tree.define(root: "app", json: app) }
        join([])
    }

    /// Adds a client that observes these paths.
    func join(_ paths: [String]) {
        let peer = PeerCredentials(pid: 1, uid: 1, gid: 1)
        let session = Session(token: UInt64(sessions.count), peer: peer, limits: hub.clients.limits)
        session.transport = self
        hub.clients.open(session)
        sessions.append(session)
        for path in paths {
            let line = Bytes(#"{"id":1,"method":"subscribe","params":{"path":""# + path + "\"}}\n")
            _ = hub.receive(line.view, from: session)
            finishTurn()
        }
    }

    /// - Parameter number: the number of lines.
    func ask(_ lines: Bytes, count number: Int = 64) -> (Int) -> Void {
        { [self] count in
            for _ in 0..<max(count / number, 1) {
                _ = hub.receive(lines.view, from: sessions[0])
                finishTurn()
            }
        }
    }

    func flush(_ session: Session) {
        let waiting = session.output.hasRange ? session.output.range.count : session.output.buffer?.count ?? 0
        _ = hub.clients.sent(waiting, to: session)
    }

    /// Finishes a turn as the event loop does.
    private func finishTurn() {
        let waiting = hub.clients.sessions.dirty
        hub.clients.sessions.dirty.removeAll(keepingCapacity: true)
        for session in waiting {
            session.output.endDirty()
            flush(session)
        }
    }
}
