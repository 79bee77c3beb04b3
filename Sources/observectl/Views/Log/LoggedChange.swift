// SPDX-License-Identifier: MIT
// A change as people read it: when, who, where, from what to what. Independent of connections.

import ObserveCore

/// The maker of a change, as far as an event names it.
struct MadeBy: Equatable, Sendable {
    enum Maker: Equatable, Sendable {
        case process(pid: Int64, uid: Int64, name: String?)
        /// A temporary value expired; its milliseconds, nil for the end of a connection.
        case lifetime(milliseconds: Int64?)
        case unknown
    }

    var maker: Maker
    var binding: Int64?

    /// - Parameter name: the name of a process that is connected.
    init(_ origin: Value?, name: (Int64) -> String?) {
        binding = origin?["binding"]?.int
        if let pid = origin?["pid"]?.int {
            maker = .process(pid: pid, uid: origin?["uid"]?.int ?? 0, name: name(pid))
        } else if let lifetime = origin?["lifetime"] {
            maker = .lifetime(milliseconds: lifetime.int)
        } else {
            maker = .unknown
        }
    }

    /// `player 4711`, `pid 4711`, `expired after 2 s`; a binding's number follows.
    var text: String {
        let text =
            switch maker {
            case .process(let pid, _, let name?): "\(name) \(pid)"
            case .process(let pid, _, nil): "pid \(pid)"
            case .lifetime(nil): "connection ended"
            case .lifetime(let milliseconds?):
                "expired after \(Countdown.lifetime(milliseconds: milliseconds))"
            case .unknown: "-"
            }
        return text + (binding.map { ", binding \($0)" } ?? "")
    }
}

/// One change.
struct LoggedChange: Equatable, Sendable {
    /// Nil if it is unknown.
    var time: ClockTime?
    var path: String
    /// Nil if the daemon left it out because it is too large.
    let old: Value?
    let new: Value?
    let maker: MadeBy
}

extension LoggedChange {
    init(_ event: ChangeEvent, at time: ClockTime?, name: (Int64) -> String?) {
        let params = try? event.params.value()
        self.time = params?["time"]?.string.flatMap(ClockTime.init(rfc3339:)) ?? time
        path = params?["path"]?.string ?? ""
        old = params?["old"]
        new = params?["new"]
        maker = MadeBy(params?["origin"], name: name)
    }
}

extension RawJSON {
    /// How a commit changed a property, as `because` and dry runs have it.
    var manner: String {
        if let binding = int("binding") { return "binding \(binding)" }
        if member("computed") == RawJSON(true) { return "computed" }
        return member("released") == RawJSON(true) ? "released" : ""
    }
}
