// SPDX-License-Identifier: MIT
// Drives many connections at once, with a window of unanswered sets. Requests are templates of lines.

import ObserveCore

/// - Threading: blocks the thread that runs it, and uses no other.
/// - Cost: a set costs it about as much as a memory copy of its line, so that a run measures the daemon.
@safe final class LoadGenerator {
    private let load: Load
    private let epoll: Epoll
    private let setters: [LoadConnection]
    private let subscribers: [LoadConnection]
    /// The buffer for all reads. `init` allocates it and `deinit` frees it.
    @safe private let buffer: UnsafeMutableRawBufferPointer
    private var sent: [Int]
    /// The number of lines of each setter, and of all subscribers, when the sets began.
    private var answersBefore: [Int] = []
    private var eventsBefore = 0
    private var eventLines = 0
    private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

    init(_ load: Load, path: String) throws(CommandError) {
        self.load = load
        var setters: [LoadConnection] = []
        var subscribers: [LoadConnection] = []
        do throws(SocketError) {
            epoll = try Epoll()
            for _ in 0..<load.setters { setters.append(try LoadConnection(path: path)) }
            for _ in 0..<load.subscribers { subscribers.append(try LoadConnection(path: path)) }
            for (index, connection) in (setters + subscribers).enumerated() {
                try epoll.add(connection.number, .readable, token: UInt64(index))
            }
        } catch {
            throw .unreachable(error)
        }
        (self.setters, self.subscribers) = (setters, subscribers)
        buffer = .allocate(byteCount: 256 << 10, alignment: 64)
        sent = Array(repeating: 0, count: load.setters)
        padding = Array(repeating: UInt8(ascii: "x"), count: max(load.valueBytes - 10, 0))
    }

    deinit { unsafe buffer.deallocate() }

    func run() throws(CommandError) -> LoadResult {
        try makeKeys()
        try subscribe()
        answersBefore = setters.map(\.lines)
        eventsBefore = eventLines
        let nanoseconds = UInt64(load.seconds * 1e9)
        _ = try drive(until: .now.adding(nanoseconds: nanoseconds / 5))
        var result = LoadResult(load: load)
        let (sets, events) = (sent.reduce(0, +), eventLines)
        let (start, daemonStart) = (MonotonicTime.now, daemonTime)
        result.latencies = try drive(until: start.adding(nanoseconds: nanoseconds))
        result.nanoseconds = start.nanoseconds(until: .now)
        result.daemonNanoseconds = daemonTime.flatMap { end in daemonStart.map { end - $0 } }
        result.sets = sent.reduce(0, +) - sets
        result.events = eventLines - events
        result.latencies.sort()
        return result
    }

    /// The daemon's nanoseconds; for one in this process, those of all threads but the calling one. Nil if unknown.
    private var daemonTime: UInt64? {
        guard let process = setters[0].peer, let all = ProcessorTime.ofProcess(process) else { return nil }
        return process == Platform.pid ? all - ProcessorTime.ofThread : all
    }

    /// Makes the keys, under a root that expires with the connection.
    private func makeKeys() throws(CommandError) {
        let setter = setters[0]
        let params = #"{"path":"\#(LoadGenerator.root)","value":{},"lifetime":"connection"}"#
        setter.write(#"{"jsonrpc":"2.0","id":1,"method":"set","params":\#(params)}"#)
        try wait { setter.lines == 1 }
        guard load.keys > 1 else { return }
        for key in 1...load.keys {
            setter.write { appendSet(of: key - 1, to: $0) }
            if key % 1024 == 0 || key == load.keys { try wait { setter.lines > key } }
        }
    }

    private func subscribe() throws(CommandError) {
        guard !subscribers.isEmpty else { return }
        let count = load.keys > 1 ? load.keys : subscribers.count
        for first in stride(from: 0, to: count, by: 1024) {
            let end = min(first + 1024, count)
            for index in first..<end {
                let path = "\(LoadGenerator.root).k\(load.keys > 1 ? index : 0)"
                let params = #"{"path":"\#(path)","initial":false,"delivery":"every"}"#
                let line = #"{"jsonrpc":"2.0","id":\#(index + 1),"method":"subscribe","params":\#(params)}"#
                subscribers[index % subscribers.count].write(line)
            }
            try wait { self.eventLines >= end }
        }
    }

    static let root = "bench"

    // MARK: Driving

    /// Sets until `deadline`, at least once, and waits for all answers and events. Returns the sets' times, if it measures them.
    private func drive(until deadline: MonotonicTime) throws(CommandError) -> [UInt32] {
        var latencies: [UInt32] = []
        var now = MonotonicTime.now
        repeat {
            fill()
            if load.measuresLatency {
                while isInFlight(0) { try turn() }
                let end = MonotonicTime.now
                latencies.append(UInt32(clamping: now.nanoseconds(until: end)))
                now = end
            } else {
                try turn()
                now = .now
            }
        } while now < deadline
        try wait { self.setters.indices.allSatisfy { !self.isInFlight($0) } }
        return latencies
    }

    /// The number of the setter's sets that are over: see ``Load/window``.
    private func finished(by setter: Int) -> Int {
        let answers = setters[setter].lines - answersBefore[setter]
        guard load.eventsPerSet > 0, load.setters == 1 else { return answers }
        return min(answers, (eventLines - eventsBefore) / load.eventsPerSet)
    }

    private func isInFlight(_ setter: Int) -> Bool { finished(by: setter) < sent[setter] }

    /// Fills the window of each setter, if at least half of it is free.
    private func fill() {
        for index in setters.indices {
            let room = load.window - (sent[index] - finished(by: index))
            guard room > 0, room * 2 >= load.window else { continue }
            setters[index].write { lines in
                for _ in 0..<room { appendSet(of: load.keys == 1 ? 0 : randomKey(), to: lines) }
            }
            sent[index] += room
            setters[index].flush()
        }
    }

    private func wait(_ isDone: () -> Bool) throws(CommandError) {
        let deadline = MonotonicTime.now.adding(milliseconds: 30_000)
        for connection in setters + subscribers { connection.flush() }
        while !isDone() {
            guard MonotonicTime.now < deadline else { throw .client(.timedOut) }
            try turn()
        }
    }

    private func turn() throws(CommandError) {
        var isWriting = false
        for connection in setters where connection.wantsToWrite {
            connection.flush()
            isWriting = isWriting || connection.wantsToWrite
        }
        for index in 0..<epoll.wait(timeoutMilliseconds: isWriting ? 1 : 100) {
            let number = Int(epoll.token(index))
            let isSetter = number < setters.count
            let connection = isSetter ? setters[number] : subscribers[number - setters.count]
            if connection.wantsToWrite { connection.flush() }
            let lines = unsafe connection.receive(into: buffer)
            if !isSetter { eventLines += lines }
            if let error = connection.firstError { throw .failed("the daemon refused the load: \(error)") }
            if connection.hasEnded { throw .client(.connectionLost(code: 0)) }
        }
    }

    // MARK: Lines

    private func appendSet(of key: Int, to lines: ByteBuffer) {
        number += 1
        lines.append(#"{"jsonrpc":"2.0","id":"#)
        lines.append(decimal: number)
        lines.append(contentsOf: beforeKey)
        lines.append(decimal: UInt64(key))
        lines.append(#"","value":""#)
        lines.append(decimal: number)
        lines.append(contentsOf: padding)
        lines.append("\"}}\n")
    }

    /// The id and the beginning of the value of the last set. It always has ten digits, so that all lines are as long.
    private var number: UInt64 = 1_000_000_000
    private let beforeKey = #","method":"set","params":{"path":"\#(root).k"#.bytes
    private let padding: [UInt8]

    /// Xorshift: the order only has to be random to the processor's caches.
    private func randomKey() -> Int {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return Int(random % UInt64(load.keys))
    }
}
