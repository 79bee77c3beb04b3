// SPDX-License-Identifier: MIT
// A socket that forwards to another one, and can be cut. Independent of the data.

import Dispatch
import Synchronization

@testable import ObserveCore

/// Forwards connections to ``path`` to the target, until they are cut.
final class Relay: Sendable {
    let path: String
    private let target: String
    private let folder: TemporaryFolder
    private let queue = DispatchQueue(label: "test.relay")
    private let state: Confined<State>

    private final class State {
        var listener: UnixListener?
        var acceptor: ReadinessSource?
        var pipes: [Pipe] = []
        var isCut = false
    }

    /// A pair of connected sockets.
    private final class Pipe {
        var ends: [FileDescriptorBox]
        var sources: [ReadinessSource] = []
        init(_ ends: [FileDescriptorBox]) { self.ends = ends }
    }

    private final class FileDescriptorBox {
        let descriptor: FileDescriptor
        init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
    }

    init(to target: String) throws {
        folder = try TemporaryFolder.make(prefix: "observed-test-")
        path = folder.path + "/relay"
        self.target = target
        state = Confined(State(), on: queue)
        try queue.sync { try listen() }
    }

    /// Closes all connections, and refuses new ones.
    func cut() {
        queue.sync {
            state.withObject { state in
                state.acceptor = nil
                state.listener = nil
                state.pipes = []
            }
        }
    }

    /// Accepts new connections again.
    func resume() { queue.sync { try? listen() } }

    private func listen() throws {
        try state.withObject { state in
            let listener = try UnixListener.listen(path: path)
            let acceptor = try ReadinessSource(descriptor: listener.number, queue: queue) { [weak self] in
                self?.accept()
            }
            state.listener = listener
            state.acceptor = acceptor
            acceptor.start()
        }
    }

    private func accept() {
        state.withObject { state in
            guard let listener = state.listener else { return }
            switch listener.accept() {
            case .connection(let near):
                guard let far = try? UnixSocket.connect(path: target) else { return }
                let pipe = Pipe([FileDescriptorBox(near), FileDescriptorBox(far)])
                pipe.sources = [forward(pipe, from: 0, to: 1), forward(pipe, from: 1, to: 0)]
                    .compactMap(\.self)
                state.pipes.append(pipe)
                for source in pipe.sources { source.start() }
            default: break
            }
        }
    }

    private func forward(_ pipe: Pipe, from: Int, to: Int) -> ReadinessSource? {
        let (source, sink) = (pipe.ends[from].descriptor.number, pipe.ends[to].descriptor.number)
        return try? ReadinessSource(descriptor: source, queue: queue) {
            let (result, bytes) = ByteIO.read(source, limitBytes: 65_536)
            if case .bytes = result { _ = ByteIO.write(sink, bytes) }
        }
    }
}
