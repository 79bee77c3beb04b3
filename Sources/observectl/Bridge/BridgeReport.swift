// SPDX-License-Identifier: MIT
// What a bridge says of its state: in the tree, and on standard error. Independent of connections.

import ObserveCore

extension BridgeRules {
    /// At most so many refusals are named.
    static let namedRefusals = 20

    /// The value of `bridges.BUCKET.status`.
    func status(isConnected: Bool, lag: UInt64) -> Value {
        let refused = inbound.refused.values.compactMap { node in
            node.refusal.map { (BridgeKey.key(of: node.path), Value.string($0.reason)) }
        }
        let named = refused.sorted { $0.0 < $1.0 }.prefix(BridgeRules.namedRefusals)
        return .object(
            ValueMembers([
                ("connected", .bool(isConnected)),
                ("lag", .int(Int64(clamping: lag))),
                ("waiting", .int(Int64(outbound.waiting + inbound.queue.count))),
                ("refusals", .int(Int64(refused.count))),
                ("refused", .object(ValueMembers(Array(named)))),
            ])
        )
    }
}

extension BridgePosition {
    var value: Value {
        .object(
            ValueMembers([
                ("stream", .string(stream)), ("sequence", .int(Int64(clamping: sequence))),
                ("epoch", .string(epoch)), ("revision", .int(revision)), ("pid", .int(pid)),
                ("paths", .array(paths.map { .string($0) })),
            ])
        )
    }

    /// Nil unless it is a position: users may write there.
    init?(_ value: Value) {
        guard let stream = value["stream"]?.string, let sequence = value["sequence"]?.int, sequence >= 0,
            let epoch = value["epoch"]?.string, let revision = value["revision"]?.int, revision >= 0,
            let pid = value["pid"]?.int, let paths = value["paths"]?.array
        else { return nil }
        self.init(
            stream: stream,
            sequence: UInt64(sequence),
            epoch: epoch,
            revision: revision,
            pid: pid,
            paths: paths.compactMap(\.string)
        )
    }
}
