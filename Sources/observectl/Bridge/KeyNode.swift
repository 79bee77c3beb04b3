// SPDX-License-Identifier: MIT
// What a bridge knows of one key: the daemon's value, the stream's, and what is under way. Independent of connections.

import ObserveCore

/// The last message of a key in the stream.
struct RemoteValue: Equatable {
    enum Content: Equatable {
        case leaf(RawJSON)
        case gone
        /// Not the value of a leaf: another program wrote it.
        case unusable
    }

    let sequence: UInt64
    let content: Content

    var leaf: RawJSON? { if case .leaf(let value) = content { value } else { nil } }
}

/// A name in the tree of keys. Most nodes are leaves of the daemon's tree and keys of the bucket.
final class KeyNode {
    /// What waits to be put, or is put and not acknowledged.
    struct Outgoing {
        /// The first revision with a change that was not put; nil if there is none.
        var dirty: Int64?
        /// The put that is under way.
        var ticket: Int?
        /// The first revision that the put shows; nil for one that only cleans up.
        var revision: Int64?
        var isQueued = false

        var isWaiting: Bool { dirty != nil || ticket != nil }
    }

    /// What waits to be applied, or can't be.
    struct Incoming {
        var isQueued = false
        /// Whether a transaction that is not answered writes it.
        var isPlanned = false
        /// How often the daemon had another value than expected, without a change that explains it.
        var conflicts = 0
        /// Nodes that wait until nothing of this one is under way.
        var blocked: [KeyNode] = []

        /// Whether the daemon does not have the stream's last value yet.
        var isPending: Bool { isQueued || isPlanned }
    }

    /// A value that was refused.
    struct Refusal: Equatable {
        let reason: String
        /// Whether it is the daemon's value that the stream does not take; else the other way.
        let isPut: Bool
        /// Whether the daemon's value is not known, since it can't be read.
        var isRead = false
        /// Whether the answer to another try is missing.
        var isTriedAgain = false
    }

    let name: String
    /// Whether the name is written as it is, in keys and in paths.
    let isPlain: Bool
    let parent: KeyNode?
    /// The position of the bridged path; nil above all of them.
    let scope: Int?
    /// Whether the bridged path leads to this node itself.
    let isScope: Bool
    private var childrenByName: [MemberName: KeyNode] = [:]
    /// The children in an order that depends only on what came and went, not on hash values.
    private(set) var children: [KeyNode] = []
    /// The position among the parent's children.
    private var position = 0

    /// The daemon's leaf here; nil if there is none, or a model with leaves below.
    private(set) var local: RawJSON?
    /// How many leaves the daemon has below.
    private(set) var localBelow = 0
    private(set) var remote: RemoteValue?
    /// How many keys below have a value in the stream.
    private(set) var liveBelow = 0
    /// Whether the last value in the stream is this bridge's own.
    private(set) var isOurs = false
    var outgoing = Outgoing() {
        didSet {
            guard oldValue.isWaiting != outgoing.isWaiting else { return }
            let change = outgoing.isWaiting ? 1 : -1
            for node in above { node.waitingBelow += change }
        }
    }
    private(set) var waitingBelow = 0
    var incoming = Incoming()
    /// Why the value can't travel, until it changes or has travelled; nil if it can.
    var refusal: Refusal?

    init(name: String, parent: KeyNode?, scope: Int?) {
        (isPlain, isScope) = (BridgeKey.isPlain(name), scope != parent?.scope)
        (self.name, self.parent, self.scope) = (name, parent, scope)
    }

    // MARK: Values

    func setLocal(_ value: RawJSON?) {
        let had = local != nil
        local = value
        guard had != (value != nil) else { return }
        for node in above { node.localBelow += had ? -1 : 1 }
    }

    func setRemote(_ value: RemoteValue?, isOurs: Bool = false) {
        let had = remote?.leaf != nil
        (remote, self.isOurs) = (value, isOurs)
        guard had != (value?.leaf != nil) else { return }
        for node in above { node.liveBelow += had ? -1 : 1 }
    }

    /// Whether the daemon's value here, or that of a model above, can't be read: it is not known.
    var isUnread: Bool { refusal?.isRead == true || above.contains { $0.refusal?.isRead == true } }

    /// Whether the daemon has a model here.
    var isLocalModel: Bool { localBelow > 0 || local == .emptyModel }

    /// Whether nothing is known of it, so that it can go.
    var isForgettable: Bool {
        !isScope && local == nil && remote == nil && children.isEmpty && !outgoing.isWaiting
            && !outgoing.isQueued && !incoming.isPending && incoming.blocked.isEmpty && refusal == nil
    }

    // MARK: Other nodes

    subscript(name: String) -> KeyNode? { childrenByName[MemberName(name)] }

    /// The child of that name, made if it is missing.
    func child(_ name: String, scope: Int?) -> KeyNode {
        if let child = self[name] { return child }
        let child = KeyNode(name: name, parent: self, scope: scope)
        child.position = children.count
        children.append(child)
        childrenByName[MemberName(name)] = child
        return child
    }

    /// Removes a child; the last one takes its position.
    func remove(_ child: KeyNode) {
        childrenByName[MemberName(child.name)] = nil
        children.swapAt(child.position, children.count - 1)
        children[child.position].position = child.position
        children.removeLast()
    }

    /// The names to this node. The root has none.
    var path: [String] { ([name] + above.map(\.name)).dropLast().reversed() }

    /// Whether this name and all above are written as they are.
    private var hasPlainPath: Bool { isPlain && above.allSatisfy { $0.isPlain || $0.parent == nil } }

    /// Appends the path as JSON text.
    func appendPath(to buffer: ByteBuffer) {
        guard hasPlainPath else { return buffer.appendJSONString(utf8: DottedKeyPath.text(of: path)) }
        buffer.append(0x22)
        appendPlain { buffer.append(utf8: $0) }
        buffer.append(0x22)
    }

    var key: [UInt8] {
        guard hasPlainPath else { return Array(BridgeKey.key(of: path).utf8) }
        var key: [UInt8] = []
        key.reserveCapacity(64)
        appendPlain { key += $0.utf8 }
        return key
    }

    private func appendPlain(_ append: (String) -> Void) {
        if let parent, parent.parent != nil {
            parent.appendPlain(append)
            append(".")
        }
        append(name)
    }

    /// The nodes above, the nearest first.
    var above: UnfoldSequence<KeyNode, KeyNode?> {
        sequence(state: parent) { node in
            defer { node = node?.parent }
            return node
        }
    }

    /// Visits this node and all below it; children only while `descends` holds for their parent.
    func visit(while descends: (KeyNode) -> Bool = { _ in true }, _ body: (KeyNode) -> Void) {
        body(self)
        guard !children.isEmpty, descends(self) else { return }
        for child in children { child.visit(while: descends, body) }
    }

    // MARK: The stream's order

    /// The value that the stream's order leaves here: of keys that exclude one another, the last one stays.
    var effective: RawJSON? {
        guard let remote, let leaf = remote.leaf else { return nil }
        return shadow(of: remote.sequence) == nil ? leaf : nil
    }

    /// Whether both sides have the same leaf, and no other key excludes it: most nodes, once their puts are acknowledged.
    var isAgreed: Bool {
        guard let local, let remote, liveBelow == 0, remote.leaf == local else { return false }
        return !above.contains { $0.remote?.leaf != nil }
    }

    /// A node above or below whose value in the stream is later than that sequence.
    func shadow(of sequence: UInt64) -> KeyNode? {
        func isLater(_ node: KeyNode) -> Bool {
            if let other = node.remote, other.leaf != nil { other.sequence > sequence } else { false }
        }
        if let node = above.first(where: isLater) { return node }
        return firstBelow(while: { $0.liveBelow > 0 }, where: isLater)
    }

    /// This node, or one above or below it, of which something is under way.
    var waiting: KeyNode? {
        if outgoing.isWaiting { return self }
        if let node = above.first(where: { $0.outgoing.isWaiting }) { return node }
        return firstBelow(while: { $0.waitingBelow > 0 }) { $0.outgoing.isWaiting }
    }

    /// A node below for which the test holds; children are looked at only while `descends` holds for their parent.
    private func firstBelow(while descends: (KeyNode) -> Bool, where test: (KeyNode) -> Bool) -> KeyNode? {
        var found: KeyNode?
        visit(while: { found == nil && descends($0) }) { if $0 !== self, test($0) { found = $0 } }
        return found
    }
}

extension RawJSON {
    static let emptyModel = RawJSON(.object(ValueMembers()))
    static let nothing = RawJSON(.null)

    var isArray: Bool { bytes.first == 0x5B }
    var isModel: Bool { bytes.first == 0x7B }
}
