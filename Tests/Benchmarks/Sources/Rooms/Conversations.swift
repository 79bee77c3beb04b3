// SPDX-License-Identifier: MIT
// The rooms Server and Persistence: lines in, lines out, and no socket.

@testable import ObserveCore

func conversationBenchmarks() -> [RoomBenchmark] {
    let plain = Party(subscribers: 0)
    let one = Party(subscribers: 1)
    let hundred = Party(subscribers: 100)
    let recorded = Party(subscribers: 0)
    let recorder = LineRecorder()
    recorded.hub.tree.record(with: recorder)
    let setLines = Bytes((0..<64).map { setLine($0) + "\n" }.joined())
    let getLine = #"{"jsonrpc":"2.0","id":1000,"method":"get","params":{"path":"app.player.title"}}"#
    let getLines = Bytes(String(repeating: getLine + "\n", count: 64))
    return [
        RoomBenchmark("Server: answer a get", plain.ask(getLines)),
        RoomBenchmark("Server: answer a set", plain.ask(setLines)),
        RoomBenchmark("Server: answer a set, one subscriber", one.ask(setLines)),
        RoomBenchmark("Server: answer a set, 100 subscribers", hundred.ask(setLines)),
        RoomBenchmark("Persistence: write a set as a line of the journal") { [recorded] count in
            recorder.run(count, recorded.hub)
        },
    ]
}

/// Writes every commit into a buffer that nobody reads.
private final class LineRecorder: CommitRecorder {
    private let out = ByteBuffer()
    private var author: CommitAuthor?
    private let path = ParsedKeyPath(maxDepth: 64)
    private let texts = [
        Bytes(#""a title that does not fit into fifteen bytes""#), Bytes(#""another title""#),
    ]

    func record(_ tree: ModelTree) {
        out.removeAll()
        tree.appendCommit(to: out, author: &author, WallClock(offset: 0))
    }

    func record(_ tree: ModelTree, scalar json: JSONView, of id: PropertyID) {
        preconditionFailure("only the hub goes the short way")
    }

    func run(_ count: Int, _ hub: Hub) {
        sure { try path.parse(dotted: "app.player.title") }
        for index in 0..<count {
            let value = JSONView(validated: texts[index & 1].view)
            sure { try hub.tree.commit { () throws(TreeError) in _ = try hub.tree.set(path, to: value) } }
            hub.tree.unpin()
        }
    }
}

/// A hub with one who asks and some who listen; whatever they are sent, they have read.
private final class Party: Transport {
    let hub = Hub(limits: ServerLimits(), now: .now)
    private var sessions: [Session] = []

    init(subscribers: Int) {
        sure { try hub.tree.define(root: "app", json: #"{"player":{"title":"Brazil"}}"#) }
        for token in 0...UInt64(subscribers) {
            let peer = PeerCredentials(pid: 1, uid: 1, gid: 1)
            let session = Session(token: token, peer: peer, limits: hub.limits)
            session.transport = self
            hub.open(session)
            sessions.append(session)
            guard token > 0 else { continue }
            let line = Bytes(#"{"id":1,"method":"subscribe","params":{"path":"app.player.title"}}"# + "\n")
            _ = hub.receive(line.view, from: session)
            settle()
        }
    }

    func ask(_ lines: Bytes) -> (Int) -> Void {
        { [self] count in
            for _ in 0..<max(count / 64, 1) {
                _ = hub.receive(lines.view, from: sessions[0])
                settle()
            }
        }
    }

    func flush(_ session: Session) {
        let waiting = session.hasRun ? session.run.count : session.output?.count ?? 0
        _ = hub.sent(waiting, to: session)
    }

    /// What the event loop does at the end of a turn.
    private func settle() {
        let waiting = hub.dirty
        hub.dirty.removeAll(keepingCapacity: true)
        for session in waiting {
            session.isDirty = false
            flush(session)
        }
    }
}
