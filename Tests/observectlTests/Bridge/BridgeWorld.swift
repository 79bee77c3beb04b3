// SPDX-License-Identifier: MIT
// Several daemons, their bridges and one stream in one thread, with queues between them that can be cut. Independent of
// sockets and time.

@testable import ObserveCore
@testable import observectl

/// A stream with one value a key.
struct SimulatedStream {
    struct Message {
        let key: String
        let sequence: UInt64
        let value: RawJSON?
    }

    enum Output {
        case message(Message)
        case isLoaded
        case acknowledged(Int, UInt64)
        case overtaken(Int)
        case full(Int)
    }

    var identity = "stream 1"
    private(set) var lastSequence: UInt64 = 0
    private(set) var last: [String: Message] = [:]
    var isFull = false

    mutating func put(_ put: BridgePut) -> (Output, Message?) {
        if isFull { return (.full(put.ticket), nil) }
        let key = String(decoding: put.node.key, as: UTF8.self)
        if let expected = put.expected, last[key]?.sequence ?? 0 != expected {
            return (.overtaken(put.ticket), nil)
        }
        lastSequence += 1
        let message = Message(key: key, sequence: lastSequence, value: put.value)
        last[key] = message
        return (.acknowledged(put.ticket, lastSequence), message)
    }

    func messages(from start: UInt64) -> [Message] {
        last.values.filter { $0.sequence >= start }.sorted { $0.sequence < $1.sequence }
    }

    /// The bucket is deleted and made again.
    mutating func replace() {
        self = SimulatedStream()
        identity += "'"
    }

    /// The leaves that the stream's order leaves.
    var leaves: [String: String] {
        let live = last.values.filter { $0.value != nil }
        return live.reduce(into: [:]) { leaves, message in
            let isShadowed = live.contains {
                $0.sequence > message.sequence
                    && ($0.key.hasPrefix(message.key + ".") || message.key.hasPrefix($0.key + "."))
            }
            if !isShadowed { leaves[message.key] = message.value?.text }
        }
    }
}

/// One machine: a daemon, its bridge, and what is between them and the stream.
struct SimulatedHost {
    var daemon = SimulatedDaemon(BridgeWorld.paths.map(\.names))
    var bridge: BridgeRules
    var requests: [SimulatedDaemon.Request] = []
    var puts: [BridgePut] = []
    var fromStream: [SimulatedStream.Output]?
    /// The processes whose changes are bridges'.
    var pids: Set<Int64> = []
    var position: BridgePosition?
}

/// Takes random steps.
struct BridgeWorld {
    /// SplitMix64.
    struct Dice: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
        mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }
        mutating func hits(_ per: Int) -> Bool { below(per) == 0 }
    }

    static let paths = [
        BridgedPath(names: ["house"], direction: .both),
        BridgedPath(names: ["a.b", "mode"], direction: .both),
    ]

    var dice: Dice
    var stream = SimulatedStream()
    var hosts: [SimulatedHost] = []
    private var pid: Int64 = 1

    init(seed: UInt64, hosts count: Int) {
        dice = Dice(state: seed)
        for _ in 0..<count {
            hosts.append(SimulatedHost(bridge: BridgeRules(BridgeWorld.paths, pid: pid), pids: [pid]))
            pid += 1
        }
    }

    // MARK: Users

    private mutating func randomNames() -> [String] {
        if dice.hits(8) { return ["a.b", "mode"] }
        let names = ["house", "é x", "kitchen", "=", "light"]
        return ["house"] + (0..<dice.below(4)).map { _ in names[1 + dice.below(4)] }
    }

    private mutating func randomValue(_ depth: Int = 0) -> Value {
        switch dice.below(depth < 2 ? 8 : 5) {
        case 0: return .int(Int64(dice.below(100)))
        case 1: return .string("s\(dice.below(100))")
        case 2: return .array([.int(Int64(dice.below(9))), .bool(true)])
        case 3: return .object(ValueMembers())
        case 4: return .double(Double(dice.below(9)) + 0.5)
        default:
            let names = ["é x", "kitchen", "=", "light"].shuffled(using: &dice).prefix(1 + dice.below(3))
            return .object(ValueMembers(names.map { ($0, randomValue(depth + 1)) }))
        }
    }

    mutating func write(at host: Int) {
        var writes: [(names: [String], value: Value?)] = []
        for _ in 0...(dice.hits(3) ? dice.below(4) : 0) {
            writes.append((randomNames(), dice.hits(4) ? nil : randomValue()))
        }
        hosts[host].daemon.write(writes)
    }

    // MARK: Links

    mutating func connectDaemon(_ host: Int) {
        guard hosts[host].daemon.output == nil else { return }
        hosts[host].daemon.connect(hosts[host].bridge.pid)
        hosts[host].requests = [.position]
    }

    mutating func cutDaemon(_ host: Int) {
        hosts[host].daemon.disconnect()
        hosts[host].requests = []
        hosts[host].bridge.detachLocal()
    }

    mutating func connectStream(_ host: Int) {
        guard hosts[host].fromStream == nil else { return }
        let start = hosts[host].bridge.attachRemote(
            identity: stream.identity,
            lastSequence: stream.lastSequence
        )
        hosts[host].fromStream = stream.messages(from: start ?? 0).map { .message($0) }
        if start == nil { hosts[host].fromStream?.append(.isLoaded) }
    }

    mutating func cutStream(_ host: Int) {
        guard hosts[host].fromStream != nil else { return }
        hosts[host].fromStream = nil
        hosts[host].puts = []
        hosts[host].bridge.detachRemote()
    }

    mutating func killBridge(_ host: Int) {
        hosts[host].daemon.disconnect()
        hosts[host].requests = []
        hosts[host].fromStream = nil
        hosts[host].puts = []
        hosts[host].bridge = BridgeRules(BridgeWorld.paths, pid: pid)
        hosts[host].pids.insert(pid)
        pid += 1
    }

    // MARK: Steps

    /// Moves one thing forward. False if there was nothing to move there.
    @discardableResult
    mutating func move(_ host: Int, _ what: Int) -> Bool {
        switch what {
        case 0:
            guard hosts[host].daemon.output != nil, !hosts[host].requests.isEmpty else { return false }
            hosts[host].daemon.execute(hosts[host].requests.removeFirst())
        case 1:
            guard hosts[host].daemon.output?.isEmpty == false,
                let next = hosts[host].daemon.output?.removeFirst()
            else { return false }
            handle(next, host)
        case 2:
            guard hosts[host].fromStream != nil, !hosts[host].puts.isEmpty else { return false }
            let (answer, message) = stream.put(hosts[host].puts.removeFirst())
            if let message {
                for other in hosts.indices { hosts[other].fromStream?.append(.message(message)) }
            }
            hosts[host].fromStream?.append(answer)
        case 3:
            guard hosts[host].fromStream?.isEmpty == false, let next = hosts[host].fromStream?.removeFirst()
            else { return false }
            handle(next, host)
        case 4:
            let puts = hosts[host].bridge.nextPuts()
            hosts[host].puts += puts
            return !puts.isEmpty
        case 5:
            let reads = hosts[host].bridge.takeUnread()
            hosts[host].requests += reads.map { .read($0) }
            return !reads.isEmpty
        default:
            guard let next = hosts[host].bridge.nextTransaction() else { return false }
            hosts[host].requests.append(.transaction(next))
        }
        return true
    }

    private mutating func handle(_ output: SimulatedDaemon.Output, _ host: Int) {
        let bridge = hosts[host].bridge
        switch output {
        case .position(let position):
            hosts[host].position = position
            if let pid = position?.pid { hosts[host].pids.insert(pid) }
            let isKnown = bridge.local.isLoaded
            hosts[host].requests.append(
                .subscribe(
                    epoch: isKnown ? bridge.local.epoch : position?.epoch ?? "",
                    revision: isKnown ? bridge.local.revision : position?.revision ?? 0
                )
            )
        case .subscribed(let epoch, let revision, let isResumed):
            let needs = bridge.attachLocal(
                epoch: epoch,
                revision: revision,
                isResumed: isResumed,
                position: hosts[host].position
            )
            if needs { hosts[host].requests.append(.load(BridgeWorld.paths.map(\.names))) }
        case .loaded(let values, let revision):
            for (names, value) in values { bridge.load(names, RawJSON(value)) }
            bridge.finishLoading(at: revision)
        case .frame(let events):
            bridge.receive(
                events.map {
                    LocalEvent(
                        names: $0.names,
                        value: $0.value.isNull ? nil : RawJSON($0.value),
                        revision: $0.revision,
                        isOwn: hosts[host].pids.contains($0.author)
                    )
                }
            )
        case .answer(let answer): bridge.answered(answer)
        case .read(let names, let value, let revision):
            bridge.receiveRead(names, RawJSON(value), at: revision)
        }
    }

    private func handle(_ output: SimulatedStream.Output, _ host: Int) {
        let bridge = hosts[host].bridge
        switch output {
        case .message(let message):
            let content = message.value.map { RemoteValue.Content.leaf($0) } ?? .gone
            bridge.delivered(
                BridgeKey.names(of: Array(message.key.utf8)[...]),
                RemoteValue(sequence: message.sequence, content: content)
            )
        case .isLoaded: bridge.finishLoadingRemote()
        case .acknowledged(let ticket, let sequence): bridge.acknowledged(ticket, at: sequence)
        case .overtaken(let ticket): bridge.overtaken(ticket)
        case .full(let ticket): bridge.postponed(ticket)
        }
    }

    /// One random step: mostly something that moves, sometimes a write, rarely a fault.
    mutating func step(faults: Bool) {
        let host = dice.below(hosts.count)
        let roll = dice.below(400)
        switch roll {
        case 0..<60: write(at: host)
        case 60 where faults: cutDaemon(host)
        case 61 where faults: cutStream(host)
        case 62 where faults: killBridge(host)
        case 63 where faults:
            let keeps = !dice.hits(4)
            cutDaemon(host)
            hosts[host].daemon.restart(keepsState: keeps)
        case 64 where faults && dice.hits(20):
            for index in hosts.indices { cutStream(index) }
            stream.replace()
        case 65 where faults: stream.isFull.toggle()
        case 66..<72: connectDaemon(host)
        case 72..<78: connectStream(host)
        case 78..<80: hosts[host].bridge.resume()
        default: move(host, dice.below(7))
        }
    }

    /// Connects everything and moves until nothing moves.
    ///
    /// - Returns: false if it never comes to rest.
    mutating func heal() -> Bool {
        stream.isFull = false
        for host in hosts.indices {
            connectDaemon(host)
            connectStream(host)
            hosts[host].bridge.resume()
        }
        for _ in 0..<20_000 {
            var hasMoved = false
            for host in hosts.indices {
                hosts[host].bridge.resume()
                for what in 0..<7 where move(host, what) { hasMoved = true }
            }
            if !hasMoved { return true }
        }
        return false
    }

    func leaves(of host: Int) -> [String: String] {
        BridgeWorld.paths.reduce(into: [:]) { leaves, path in
            leaves.merge(hosts[host].daemon.value(path.names).leaves(path.names)) { $1 }
        }
    }
}
