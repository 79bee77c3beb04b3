// SPDX-License-Identifier: MIT
// A daemon whose answers a test defines, and runs of the tool against it.

import Dispatch
import ObserveCore
import Synchronization
import TestSupport
import Testing

@testable import observectl

/// Listens in a folder of its own and serves the first connection, or the first few one after the other, on a thread of its
/// own, until the last ends.
final class FakeDaemon: Sendable {
    /// The reaction to a request.
    struct Reply {
        var lines: [String]
        /// Whether the daemon ends after that.
        var isLast = false
    }

    private let folder: TemporaryFolder
    let path: String
    private let received = Mutex<[String]>([])
    private let served = DispatchGroup()

    init(connections: Int = 1, _ reply: @escaping @Sendable (String) -> Reply) throws {
        // A tool may end while the daemon still writes to it.
        Platform.ignoreBrokenPipe()
        folder = try TemporaryFolder.make(prefix: "observed-test-")
        path = "\(folder.path)/daemon.sock"
        let isListening = DispatchSemaphore(value: 0)
        // A queue of its own, for a thread of its own: the global queues have few threads.
        DispatchQueue(label: "fake daemon").async(group: served) { [path, self] in
            let listener = try? UnixListener.listen(path: path)
            isListening.signal()
            guard let listener else { return }
            for _ in 0..<connections {
                _ = Poll.wait(for: [(listener.number, .readable)], until: .now.adding(milliseconds: 20_000))
                if case .connection(let socket) = listener.accept() { self.serve(socket, reply) }
            }
        }
        isListening.wait()
    }

    /// Answers any request with that result.
    convenience init(result: String) throws {
        try self.init { _ in Reply(lines: [#"{"jsonrpc":"2.0","id":1,"result":\#(result)}"#]) }
    }

    /// The received requests, once the connection has ended.
    var requests: [String] {
        served.wait()
        return received.withLock { $0 }
    }

    private func serve(_ socket: borrowing FileDescriptor, _ reply: (String) -> Reply) {
        var bytes: [UInt8] = []
        while true {
            let (result, piece) = ByteIO.read(socket.number, limitBytes: 65_536)
            switch result {
            case .bytes: bytes += piece
            case .wouldBlock: _ = Poll.wait(for: [(socket.number, .readable)])
            case .endOfInput, .failed: return
            }
            while let feed = bytes.firstIndex(of: 0x0A) {
                let line = String(decoding: bytes[..<feed], as: UTF8.self)
                bytes.removeFirst(feed + 1)
                received.withLock { $0.append(line) }
                let reply = reply(line)
                _ = ByteIO.writeAll(socket.number, reply.lines.flatMap { Array("\($0)\n".utf8) })
                if reply.isLast { return }
            }
        }
    }
}

/// One run of the tool.
struct ToolRun {
    let ending: Ending
    let output: String
    let error: String

    /// Runs the tool, in this process, with streams of its own; without standard input if that is nil.
    init(_ arguments: [String]?, input: [UInt8]? = [], environment: [String: String] = [:]) throws {
        var inputs = try SocketPair(nonBlocking: false)
        var outputs = try SocketPair(nonBlocking: false)
        var errors = try SocketPair(nonBlocking: false)
        try #require(ByteIO.writeAll(inputs.second.number, input ?? []) == 0)
        inputs.second.close()
        let process = ToolProcess(
            streams: StandardStreams(
                input: input == nil ? -1 : inputs.first.number,
                output: outputs.first.number,
                error: errors.first.number
            ),
            environment: { environment[$0] },
            uid: Platform.uid
        )
        ending = CommandLineTool(process: process, commands: CommandTable.all).run(arguments)
        outputs.first.close()
        errors.first.close()
        output = ToolRun.readAll(outputs.second.number)
        error = ToolRun.readAll(errors.second.number)
    }

    /// Runs the tool against a fake daemon.
    init(_ daemon: FakeDaemon, _ arguments: String..., input: String = "") throws {
        try self.init(["--socket", daemon.path] + arguments, input: Array(input.utf8))
    }

    private static func readAll(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        while true {
            let (result, piece) = ByteIO.read(descriptor, limitBytes: 65_536)
            guard case .bytes = result else { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece
        }
    }
}
