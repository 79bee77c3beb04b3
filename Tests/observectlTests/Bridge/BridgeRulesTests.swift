// SPDX-License-Identifier: MIT
// Refusals of either side: none of them deletes a value, and each is in the status.

import ObserveCore
import Testing

@testable import observectl

@Suite struct BridgeRulesTests {
    /// Rules for the path `house`, with both sides compared.
    private func rules(
        _ house: String,
        bucket: [(key: [String], json: String)] = [],
        unreadable: [String]? = nil,
        isResumed: Bool = false,
        position: BridgePosition? = nil
    ) throws -> BridgeRules {
        let rules = BridgeRules([BridgedPath(names: ["house"], direction: .both)], pid: 1)
        #expect(rules.attachLocal(epoch: "e", revision: 5, isResumed: isResumed, position: position))
        rules.load(["house"], try RawJSON(validating: Array(house.utf8)))
        if let unreadable { rules.cannotRead(unreadable, "it is too large") }
        rules.finishLoading(at: 5)
        #expect(rules.attachRemote(identity: "s", lastSequence: UInt64(bucket.count)) == nil)
        for (index, value) in bucket.enumerated() {
            let leaf = try RawJSON(validating: Array(value.json.utf8))
            rules.delivered(value.key, RemoteValue(sequence: UInt64(index) + 1, content: .leaf(leaf)))
        }
        rules.finishLoadingRemote()
        return rules
    }

    private func position(_ sequence: UInt64, epoch: String = "e", revision: Int64, unsent: [String] = [])
        -> BridgePosition
    {
        BridgePosition(
            stream: "s",
            sequence: sequence,
            epoch: epoch,
            revision: revision,
            pid: 9,
            paths: ["house"],
            unsent: unsent
        )
    }

    private func keys(_ puts: [BridgePut]) -> [String] {
        puts.map { "\(String(decoding: $0.node.key, as: UTF8.self))=\($0.value?.text ?? "gone")" }.sorted()
    }

    private func refused(_ rules: BridgeRules) -> String {
        rules.status(isConnected: true, lag: 0)["refused"]?.json ?? ""
    }

    @Test func `a put that is refused for the key's last sequence is tried again`() throws {
        let rules = try rules(#"{"a":1}"#)
        let puts = rules.nextPuts()
        #expect(keys(puts) == ["house.a=1"])
        #expect(!rules.overtaken(puts[0].ticket))
        rules.postponed(puts[0].ticket)
        #expect(rules.nextTransaction() == nil)
        #expect(rules.nextPuts().isEmpty)
        rules.resume()
        let again = rules.nextPuts()
        #expect(keys(again) == ["house.a=1"])
        rules.acknowledged(again[0].ticket, at: 1)
        #expect(rules.isSettled && rules.nextTransaction() == nil)
    }

    @Test func `a value that can't be read is refused until it can`() throws {
        let rules = try rules(#"{"a":1}"#)
        for put in rules.nextPuts() { rules.acknowledged(put.ticket, at: 1) }
        rules.local.unread.append(["house", "a"])
        #expect(rules.takeUnread() == [["house", "a"]] && !rules.isSettled)
        rules.cannotRead(["house", "a"], "it is too large")
        rules.local.reading -= 1
        #expect(rules.isSettled && refused(rules) == #"{"house.a":"it is too large"}"#)
        rules.retryRefused()
        #expect(rules.nextPuts().isEmpty && rules.takeUnread() == [["house", "a"]])
        #expect(refused(rules) == #"{"house.a":"it is too large"}"#)
        rules.receiveRead(["house", "a"], try RawJSON(validating: Array("2".utf8)), at: 6)
        #expect(refused(rules) == "{}" && keys(rules.nextPuts()) == ["house.a=2"])
    }

    @Test(arguments: [false, true])
    func `a value that can't be read at the start is neither deleted nor replaced`(hasPosition: Bool) throws {
        let position = position(2, epoch: "other", revision: 3)
        let rules = try rules(
            #"{"b":2}"#,
            bucket: [(["house", "a"], "1"), (["house", "b"], "2")],
            unreadable: ["house", "a"],
            position: hasPosition ? position : nil
        )
        #expect(rules.nextPuts().isEmpty && rules.nextTransaction() == nil)
        #expect(refused(rules) == #"{"house.a":"it is too large"}"#)
    }

    /// Rules whose value `house.m.a` the stream has.
    private func agreedRules() throws -> BridgeRules {
        let rules = try rules(#"{"m":{"a":1}}"#)
        for put in rules.nextPuts() { rules.acknowledged(put.ticket, at: 1) }
        return rules
    }

    @Test func `a change that can't be read for a while travels`() throws {
        let rules = try agreedRules()
        let event = LocalEvent(names: ["house", "m", "a"], value: RawJSON(.int(2)), revision: 6)
        rules.receive([event])
        rules.cannotRead(event.names, "it is too large")
        #expect(rules.nextPuts().isEmpty)
        rules.retryRefused()
        #expect(rules.takeUnread() == [event.names])
        rules.receiveRead(event.names, event.value, at: 7)
        #expect(keys(rules.nextPuts()) == ["house.m.a=2"] && refused(rules) == "{}")
    }

    /// Its revision may be one that the bridge has seen.
    @Test(arguments: [false, true])
    func `a value that was not read before the connection's end is read`(isAsked: Bool) throws {
        let rules = try agreedRules()
        rules.local.unread.append(["house", "m", "a"])
        if isAsked { _ = rules.takeUnread() }
        rules.detachLocal()
        #expect(rules.attachLocal(epoch: "e", revision: 6, isResumed: true, position: nil))
        #expect(rules.takeUnread().isEmpty)
    }

    @Test func `a value that a transaction held back when the connection ended is read again`() throws {
        let rules = try agreedRules()
        rules.local.unread.append(["house", "m", "a"])
        _ = rules.takeUnread()
        #expect(rules.nextTransaction(wantsPosition: true) != nil)
        rules.receiveRead(["house", "m", "a"], RawJSON(.int(2)), at: 6)
        rules.detachLocal()
        #expect(rules.attachLocal(epoch: "e", revision: 6, isResumed: true, position: nil))
    }

    @Test func `a change below an unreadable model at the start travels once that can be read`() throws {
        let rules = BridgeRules([BridgedPath(names: ["house"], direction: .both)], pid: 1)
        #expect(rules.attachLocal(epoch: "e", revision: 5, isResumed: false, position: nil))
        rules.cannotRead(["house", "m"], "it is too large")
        rules.receive([LocalEvent(names: ["house", "m", "a"], value: RawJSON(.int(2)), revision: 6)])
        rules.finishLoading(at: 6)
        #expect(rules.attachRemote(identity: "s", lastSequence: 0) == nil)
        rules.finishLoadingRemote()
        #expect(rules.nextPuts().isEmpty)
        rules.retryRefused()
        #expect(rules.takeUnread() == [["house", "m"]])
        rules.receiveRead(["house", "m"], RawJSON(["a": 2]), at: 7)
        #expect(keys(rules.nextPuts()) == ["house.m.a=2"])
    }

    @Test func `a value that the daemon refused below an unreadable model is not put`() throws {
        let rules = try agreedRules()
        let later = RemoteValue(sequence: 2, content: .leaf(RawJSON(.int(5))))
        rules.delivered(["house", "m", "a"], later)
        #expect(rules.nextTransaction()?.writes.count == 1)
        rules.answered(.failure(DaemonError(code: .limitExceeded, message: "it is refused")))
        rules.cannotRead(["house", "m"], "it is too large")
        #expect(rules.nextTransaction() == nil)
        rules.local.unread.append(["house", "m"])
        _ = rules.takeUnread()
        rules.receiveRead(["house", "m"], RawJSON(["a": 1]), at: 6)
        #expect(rules.nextPuts().isEmpty && refused(rules) == #"{"house.m.a":"it is refused"}"#)
    }

    @Test(arguments: [["house", "m", "a"], ["house", "m"]])
    func `the end of a value that was never read travels`(unreadable: [String]) throws {
        let rules = try rules(
            #"{"b":2}"#,
            bucket: [(["house", "m", "a", "x"], "1"), (["house", "b"], "2")],
            unreadable: unreadable
        )
        rules.receive([LocalEvent(names: ["house", "m", "a"], value: nil, revision: 6)])
        #expect(keys(rules.nextPuts()) == ["house.m.a.x=gone"] && rules.nextTransaction() == nil)
    }

    /// Of a value that came back to its former one, the daemon's change is the newer one. One below it did not change.
    @Test(arguments: [["house", "m", "a"], ["house", "m"]])
    func `a value of the stream that came while the daemon's could not be read`(names: [String]) throws {
        let rules = try agreedRules()
        rules.cannotRead(names, "it is too large")
        let later = RemoteValue(sequence: 2, content: .leaf(RawJSON(.int(5))))
        rules.delivered(["house", "m", "a"], later)
        let isLeaf = names.count == 3
        if isLeaf { #expect(rules.nextTransaction() == nil) }
        rules.retryRefused()
        #expect(rules.takeUnread() == [names])
        rules.receiveRead(names, isLeaf ? RawJSON(.int(1)) : RawJSON(["a": 1]), at: 6)
        #expect(keys(rules.nextPuts()) == (isLeaf ? ["house.m.a=1"] : []))
        #expect(rules.nextTransaction()?.writes.map(\.value?.text) == (isLeaf ? nil : ["5"]))
    }

    @Test func `a model that is too large at once is read member by member`() throws {
        let rules = try rules(#"{"a":1,"b":{"c":2},"d":3}"#)
        for (index, put) in rules.nextPuts().enumerated() {
            rules.acknowledged(put.ticket, at: UInt64(index) + 1)
        }
        rules.local.unread.append(["house"])
        _ = rules.takeUnread()
        rules.receiveMembers(["a", "e"], of: ["house"], at: 6)
        #expect(keys(rules.nextPuts()) == ["house.b.c=gone", "house.d=gone"])
        #expect(rules.takeUnread() == [["house", "a"], ["house", "e"]])
        rules.receiveRead(["house", "a"], try RawJSON(validating: Array("1".utf8)), at: 6)
        rules.receiveRead(["house", "e"], try RawJSON(validating: Array("5".utf8)), at: 6)
        #expect(keys(rules.nextPuts()) == ["house.e=5"])
        #expect(rules.local.reading == 0)
    }

    @Test func `values are put by their bytes`() throws {
        let text = String(repeating: "x", count: 400_000)
        let members = (0..<9).map { "\"k\($0)\":\"\(text)\"" }.joined(separator: ",")
        let rules = try rules("{\(members)}")
        #expect(rules.nextPuts().count == 3)
        #expect(rules.nextPuts().count == 3)
    }

    @Test func `names that only look alike are two keys`() throws {
        let rules = try rules(#"{"\u00e9":1,"e\u0301":2}"#)
        #expect(keys(rules.nextPuts()) == ["house.=C3=A9=1", "house.e=CC=81=2"])
    }

    @Test func `of names that only look alike, the missing one is gone`() throws {
        let rules = try rules(#"{"m":{"\u00e9":1,"e\u0301":2}}"#)
        for put in rules.nextPuts() { rules.acknowledged(put.ticket, at: UInt64(put.ticket)) }
        rules.local.unread.append(["house", "m"])
        _ = rules.takeUnread()
        rules.receiveMembers(["\u{E9}"], of: ["house", "m"], at: 6)
        #expect(keys(rules.nextPuts()) == ["house.m.e=CC=81=gone"])
    }

    @Test func `the position is wanted until the tree has one`() throws {
        let rules = try rules(#"{"a":1}"#)
        #expect(rules.lacksPosition)
        #expect(rules.nextTransaction() == nil)
        #expect(rules.nextTransaction(wantsPosition: true)?.writes.isEmpty == true)
        #expect(rules.lacksPosition)
        rules.answered(.success(6))
        #expect(!rules.lacksPosition)
        rules.detachRemote()
        #expect(rules.attachRemote(identity: "another", lastSequence: 0) == nil)
        #expect(!rules.lacksPosition)
        rules.finishLoadingRemote()
        #expect(rules.lacksPosition)
    }

    /// The bridge before had refused to send the value of `house.a`, of which the bucket has an older one.
    @Test(arguments: [false, true])
    func `a value that the stream refused outlives the bridge`(isResumed: Bool) throws {
        let first = try rules(#"{"a":1}"#, bucket: [(["house", "a"], "1")])
        first.payloadLimit = 3
        let long = try RawJSON(validating: Array("12345".utf8))
        first.receive([LocalEvent(names: ["house", "a"], value: long, revision: 6)])
        #expect(first.nextPuts().isEmpty && refused(first) != "{}")
        let noted = try #require(first.nextTransaction(wantsPosition: true)?.position)
        #expect(noted.revision == 6 && noted.unsent == ["house.a"])
        let position = try #require(BridgePosition(noted.value))
        #expect(position == noted)
        let second = try rules(
            #"{"a":12345}"#,
            bucket: [(["house", "a"], "1")],
            isResumed: isResumed,
            position: position
        )
        #expect(second.nextTransaction() == nil && keys(second.nextPuts()) == ["house.a=12345"])
        // A later value of the bucket is the newer one.
        let third = try rules(
            #"{"a":12345}"#,
            bucket: [(["another"], "1"), (["house", "a"], "2")],
            isResumed: isResumed,
            position: position
        )
        #expect(third.nextTransaction()?.writes.map(\.value?.text) == ["2"])
        #expect(third.nextPuts().isEmpty)
    }

    @Test(arguments: [false, true])
    func `values below an unreadable model are neither deleted nor replaced`(isResumed: Bool) throws {
        let position = position(2, revision: 3, unsent: ["house.m", "no key"])
        let rules = try rules(
            #"{"b":2}"#,
            bucket: [(["house", "m", "a"], "1"), (["house", "b"], "2")],
            unreadable: ["house", "m"],
            isResumed: isResumed,
            position: position
        )
        #expect(rules.nextPuts().isEmpty && rules.nextTransaction() == nil)
        #expect(refused(rules) == #"{"house.m":"it is too large"}"#)
        // Once it can be read, both sides have all of it.
        rules.retryRefused()
        #expect(rules.takeUnread() == [["house", "m"]])
        rules.receiveRead(["house", "m"], RawJSON(["c": 3]), at: 6)
        #expect(keys(rules.nextPuts()) == ["house.m.c=3"])
        #expect(rules.nextTransaction()?.writes.map(\.node.path) == [["house", "m", "a"]])
        #expect(refused(rules) == "{}")
    }

    @Test func `a write that replaces a value above and fits into no line is refused`() throws {
        let rules = BridgeRules([BridgedPath(names: ["house"], direction: .imports)], pid: 1)
        #expect(rules.attachLocal(epoch: "e", revision: 5, isResumed: false, position: nil))
        rules.load(["house"], try RawJSON(validating: Array(#"{"a":5}"#.utf8)))
        rules.finishLoading(at: 5)
        #expect(rules.attachRemote(identity: "s", lastSequence: 0) == nil)
        rules.finishLoadingRemote()
        let leaf = RemoteValue(sequence: 1, content: .leaf(RawJSON(.int(1))))
        rules.delivered(["house", "a", "b"], leaf)
        #expect(rules.nextTransaction()?.writes.map(\.target.name) == ["a", "b"])
        rules.answered(.failure(DaemonError(code: .limitExceeded, message: "it is too long")))
        #expect(rules.nextTransaction() == nil)
        #expect(refused(rules) == #"{"house.a.b":"it is too long"}"#)
    }

    @Test func `changes before the first contact with a server wait once a key`() throws {
        let rules = BridgeRules([BridgedPath(names: ["house"], direction: .both)], pid: 1)
        #expect(rules.attachLocal(epoch: "e", revision: 1, isResumed: false, position: nil))
        rules.finishLoading(at: 1)
        for number in 0..<1000 {
            let name = number % 2 == 0 ? "\u{E9}" : "e\u{301}"
            let value = RawJSON(.int(Int64(number)))
            rules.receive([LocalEvent(names: ["house", name], value: value, revision: Int64(number) + 2)])
        }
        #expect(rules.local.early.count == 2)
        #expect(rules.attachRemote(identity: "s", lastSequence: 0) == nil)
        rules.finishLoadingRemote()
        #expect(rules.local.early.isEmpty)
        #expect(keys(rules.nextPuts()) == ["house.=C3=A9=998", "house.e=CC=81=999"])
    }

    @Test func `while one change waits, the revisions of the others do not add up`() throws {
        let rules = try rules(#"{"a":1}"#)
        for put in rules.nextPuts() { rules.acknowledged(put.ticket, at: 1) }
        rules.receive([LocalEvent(names: ["house", "a"], value: RawJSON(.int(2)), revision: 6)])
        let waiting = try #require(rules.nextPuts().first)
        for number in 0..<20_000 {
            let value = RawJSON(.int(Int64(number)))
            let revision = Int64(number) + 7
            rules.receive([LocalEvent(names: ["house", "b"], value: value, revision: revision)])
            for put in rules.nextPuts() { rules.acknowledged(put.ticket, at: UInt64(revision)) }
        }
        #expect(rules.outbound.revisions.count < 5000)
        #expect(rules.nextTransaction(wantsPosition: true)?.position.revision == 5)
        rules.answered(.success(30_000))
        rules.acknowledged(waiting.ticket, at: 30_000)
        #expect(rules.nextTransaction(wantsPosition: true)?.position.revision == 30_000)
    }

    /// An operator has emptied the stream since the bridge before applied the value.
    @Test func `a value that the bridge before took from the stream outlives the stream's messages`() throws {
        let position = position(1, revision: 5)
        let rules = BridgeRules([BridgedPath(names: ["house"], direction: .both)], pid: 1)
        #expect(rules.attachLocal(epoch: "e", revision: 6, isResumed: true, position: position))
        let value = RawJSON(.int(7))
        rules.receive([LocalEvent(names: ["house", "a"], value: value, revision: 6, isOwn: true)])
        rules.load(["house"], RawJSON(["a": 7]))
        rules.finishLoading(at: 6)
        #expect(rules.attachRemote(identity: "s", lastSequence: 1) == nil)
        rules.delivered(nil, RemoteValue(sequence: 1, content: .gone))
        rules.finishLoadingRemote()
        #expect(rules.nextTransaction() == nil && keys(rules.nextPuts()) == ["house.a=7"])
    }

    /// A missed change from before the value grew must not count as the daemon's.
    @Test(arguments: [false, true])
    func `an early change of a value that can't be read counts if it came later`(isLater: Bool) throws {
        let position = position(1, revision: 3)
        let rules = BridgeRules([BridgedPath(names: ["house"], direction: .both)], pid: 1)
        #expect(rules.attachLocal(epoch: "e", revision: 5, isResumed: true, position: position))
        let event = LocalEvent(names: ["house", "a"], value: RawJSON(.int(2)), revision: 4)
        if !isLater { rules.receive([event]) }
        rules.cannotRead(["house", "a"], "it is too large")
        if isLater { rules.receive([event]) }
        rules.finishLoading(at: 5)
        #expect(rules.attachRemote(identity: "s", lastSequence: 1) == nil)
        rules.delivered(["house", "a"], RemoteValue(sequence: 1, content: .leaf(RawJSON(.int(1)))))
        rules.finishLoadingRemote()
        #expect(rules.nextTransaction() == nil)
        #expect(keys(rules.nextPuts()) == (isLater ? ["house.a=2"] : []))
        #expect(refused(rules) == (isLater ? "{}" : #"{"house.a":"it is too large"}"#))
    }
}
