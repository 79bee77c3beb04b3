// SPDX-License-Identifier: MIT
// The paths that a bridge keeps equal, its settings and its position. Independent of trees and connections.

import ObserveCore

/// One path of the command line.
struct BridgedPath: Equatable {
    /// The raw value begins the path's ``key``.
    enum Direction: String {
        case both = ""
        case exports = "export "
        case imports = "import "
    }

    let names: [String]
    let direction: Direction

    var exports: Bool { direction != .imports }
    var imports: Bool { direction != .exports }
    /// The path and its direction, as the position in the tree names it: another direction has no position yet.
    var key: String { direction.rawValue + BridgeKey.key(of: names) }
}

struct BridgeSettings {
    let address: NatsAddress
    let bucket: Bucket
    let paths: [BridgedPath]
    let credentials: NatsCredentials
    let creates: Bool
    /// Whether it ends once both sides agree.
    let isOnce: Bool
    /// Whether it removes tombstones that are older than a week.
    let purges: Bool
}

/// How far a bridge has come, as the tree keeps it in `bridges.BUCKET`.
struct BridgePosition: Equatable {
    /// The identity of the stream.
    var stream: String
    /// The last sequence that was applied.
    var sequence: UInt64
    /// The daemon's history, and the last revision whose changes the stream has.
    var epoch: String
    var revision: Int64
    /// The process of the bridge: its changes are told apart by it after a restart.
    var pid: Int64
    /// The keys of the paths that the position is valid for.
    var paths: [String]
    /// Keys at which the daemon's value is newer than the stream's, which the stream refused.
    var unsent: [String] = []
}

extension BridgePosition {
    var value: Value {
        [
            "stream": .string(stream), "sequence": .int(Int64(clamping: sequence)), "epoch": .string(epoch),
            "revision": .int(revision), "pid": .int(pid), "paths": paths.modelValue,
            "unsent": unsent.modelValue,
        ]
    }

    /// Nil unless it is a position: users may write there.
    init?(_ value: Value) {
        guard let stream = value["stream"]?.string, let sequence = value["sequence"]?.int, sequence >= 0,
            let epoch = value["epoch"]?.string, let revision = value["revision"]?.int, revision >= 0,
            let pid = value["pid"]?.int, let paths = value["paths"]?.array
        else { return nil }
        (self.stream, self.sequence) = (stream, UInt64(sequence))
        (self.epoch, self.revision, self.pid) = (epoch, revision, pid)
        self.paths = paths.compactMap(\.string)
        unsent = value["unsent"]?.array?.compactMap(\.string) ?? []
    }
}
