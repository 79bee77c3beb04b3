// SPDX-License-Identifier: MIT
// A daemon inside this process, on a socket in a new folder. Independent of its use.

internal import Dispatch
import ObserveCore

final class PrivateDaemon {
    let path: String
    private let folder: TemporaryFolder
    private let server: Server
    private let signals: [SignalCounter]
    private let sources: [ReadinessSource]

    /// - Parameters:
    ///   - command: the command that needs it, for the folder's name and the error.
    ///   - removedOnSignals: whether a signal that ends the process removes the folder first.
    init(
        for command: String,
        models: [(root: String, json: String)] = [],
        pacing: Pacing = .embedded,
        removedOnSignals: Bool
    ) throws(CommandError) {
        do {
            // The path of a socket has at most 107 bytes.
            let place = Platform.temporaryFolder.utf8.count > 60 ? "/tmp" : Platform.temporaryFolder
            let folder = try TemporaryFolder.make(prefix: "observectl-\(command)-", in: place)
            self.folder = folder
            let queue = DispatchQueue(label: "observectl.signals")
            // Not Dispatch's own sources, which miss signals for some time after their start.
            signals = try (removedOnSignals ? CurrentProcess.endingSignals : []).map(SignalCounter.init)
            sources = try signals.map { signal in
                let number = signal.signal
                let source = try ReadinessSource(descriptor: signal.number, queue: queue) {
                    folder.removeAll()
                    CurrentProcess.die(by: number)
                }
                source.start()
                return source
            }
            path = "\(folder.path)/observed.sock"
            server = try Server(pacing: pacing)
            try server.onQueue { (loop) throws(TreeError) in
                try loop.withTree { (tree) throws(TreeError) in
                    for (root, json) in models { try tree.define(root: root, json: json) }
                }
            }
            try server.start(on: UnixListener.listen(path: path))
        } catch {
            throw .failed("the \(command) can't start: \(error)")
        }
    }

    func stop() {
        if let hasStopped = try? EventCounter() {
            server.stop { hasStopped.signal() }
            _ = Poll.wait(for: [(hasStopped.number, .readable)], until: .now.adding(milliseconds: 2000))
        }
        folder.removeAll()
    }
}
