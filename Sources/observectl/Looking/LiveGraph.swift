// SPDX-License-Identifier: MIT
// A graph that stays that of the daemon: a dump, then events, and another dump when models change. Independent of views.

import ObserveCore

/// Follows the models below a path. Events assign values; a change of the models themselves, or of the marks of temporary
/// values and bindings, needs a new dump. The larger the tree is, the rarer are dumps: they take a small part of the time.
///
/// - Errors: those of the follower. Later requests that fail are repeated.
/// - Threading: confined to its owner, whose thread it blocks for some seconds at most.
final class LiveGraph {
    /// The least time between two events of a path.
    private static let throttleMilliseconds: Int64 = 100
    private static let patience: UInt64 = 2_000
    private static let dumpPatience: UInt64 = 20_000
    /// Between dumps if models change; and the same in durations of a dump.
    private static let structureInterval: UInt64 = 200_000_000
    private static let structureShare: UInt64 = 20
    /// Between dumps for marks.
    private static let markInterval: UInt64 = 3_000_000_000
    private static let markShare: UInt64 = 50
    private static let computedInterval: UInt64 = 250_000_000

    private let invocation: Invocation
    private let start: [String]
    private let follower: Follower
    private(set) var graph = ModelGraph()
    private(set) var paths = GraphPaths()
    private(set) var recent = RecentChanges()
    /// A sentence about a daemon that is not there.
    private(set) var message: String?
    let names: ProcessNames
    private var places: [[UInt8]: ModelGraph.Place] = [:]
    private var state = Freshness()

    /// The parts that are behind the daemon, and the times of the requests for them.
    private struct Freshness {
        var lacksModels = false
        var lacksMarks = false
        var lacksComputed = false
        var loaded = MonotonicTime.now
        /// Nanoseconds.
        var loadTime: UInt64 = 0
        var computed = MonotonicTime.now
    }

    /// - Parameter start: the names of the path; empty for all roots.
    init(_ invocation: Invocation, from start: [String]) {
        (self.invocation, self.start) = (invocation, start)
        let path = start.isEmpty ? "**" : "\(DottedKeyPath.text(of: start)).**"
        let params: RequestParams = [
            "path": RawJSON(.string(path)), "initial": false, "old": true, "origin": true, "whole": true,
            "throttle": RawJSON(.int(LiveGraph.throttleMilliseconds)),
        ]
        follower = Follower(invocation, params)
        names = ProcessNames { invocation.patient(LiveGraph.patience).processNames() }
        follower.report = { [weak self] in self?.message = $0 }
    }

    /// Requests the graph. The first events come after it.
    func load() throws(CommandError) {
        let begin = MonotonicTime.now
        graph = try invocation.patient(LiveGraph.dumpPatience).modelGraph(of: start)
        paths = GraphPaths(graph)
        places = [:]
        let end = MonotonicTime.now
        state = Freshness(lacksComputed: true, loaded: end, loadTime: begin.nanoseconds(until: end))
    }

    /// Waits for events until a time, or until one of the descriptors is readable.
    func collect(until time: MonotonicTime, alarms: [Int32]) throws(CommandError) {
        follower.alarms = alarms
        while true {
            do throws(CommandError) {
                switch try follower.next(until: time) {
                case .subscribed:
                    message = nil
                    // Changes may precede the first events, or have been missed.
                    state.lacksModels = true
                    return
                case .frame(let events): for event in events { apply(event) }
                case nil: return
                }
            } catch .client(.abandoned) { return }
            if time <= .now { return }
        }
    }

    /// Whether events have come since the last call.
    private(set) var hasNews = false

    func takeNews() -> Bool { exchange(&hasNews, with: false) }

    private func apply(_ event: ChangeEvent) {
        guard event.reason != .initial, let path = event.path else { return }
        hasNews = true
        recent.add(event, at: path, .now, .now)
        (state.lacksMarks, state.lacksComputed) = (true, true)
        if let new = try? event.new?.value(), let place = place(of: path), graph.assign(new, at: place) {
            return
        }
        state.lacksModels = true
    }

    private func place(of path: String) -> ModelGraph.Place? {
        if let known = places[path.bytes] { return known }
        let found = GraphPaths.names(of: path).flatMap(graph.place(of:))
        places[path.bytes] = found
        return found
    }

    // MARK: Requests

    private var nextLoad: MonotonicTime {
        guard state.lacksModels || state.lacksMarks else { return .distantFuture }
        let structure = max(LiveGraph.structureInterval, state.loadTime * LiveGraph.structureShare)
        let marks = max(LiveGraph.markInterval, state.loadTime * LiveGraph.markShare)
        return state.loaded.adding(nanoseconds: state.lacksModels ? structure : marks)
    }

    private var nextComputing: MonotonicTime {
        state.lacksComputed ? state.computed.adding(nanoseconds: LiveGraph.computedInterval) : .distantFuture
    }

    /// The time at which ``refresh(_:)`` has something to do.
    var nextRefresh: MonotonicTime { min(nextLoad, nextComputing) }

    /// Requests what is behind the daemon, if it is time. True if the models are new.
    func refresh() -> Bool {
        guard nextLoad <= .now else { return false }
        if (try? load()) != nil { return true }
        // The follower says if the daemon has gone. The next attempt is later.
        state.loaded = .now
        return false
    }

    func compute(_ rows: [TreeRow]) {
        let isLate = nextComputing <= .now
        let lacks = rows.contains { graph.content(at: $0.place) == .computed(nil) }
        guard isLate || lacks else { return }
        try? invocation.patient(LiveGraph.patience).computeValues(of: rows, in: &graph)
        state.computed = .now
        state.lacksComputed = false
    }

    /// The daemon's explanation of a path; nil if it has none now.
    func explanation(of path: String) -> Value? {
        let params: RequestParams = ["path": RawJSON(.string(path))]
        return try? invocation.patient(LiveGraph.patience).request("explain", params).value()
    }
}
