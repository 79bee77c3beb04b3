// SPDX-License-Identifier: MIT
// A change as people read it: when, who, where, from what to what. Independent of connections.

import ObserveCore

/// The maker of a change, as far as an event names it.
struct MadeBy: Equatable, Sendable {
    let isProcess: Bool
    /// The name of a process that is connected.
    let name: String?
    /// `player 4711`, `pid 4711`, `expired after 2 s`, or `-`; a binding's number follows.
    let text: String

    init(_ origin: Value?, name: (Int64) -> String?) {
        let pid = origin?["pid"]?.int
        isProcess = pid != nil
        self.name = pid.flatMap(name)
        var text = "-"
        if let pid {
            text = "\(self.name ?? "pid") \(pid)"
        } else if let lifetime = origin?["lifetime"] {
            let expiry = lifetime.int.map { "expired after \(Countdown.lifetime(milliseconds: $0))" }
            text = expiry ?? "connection ended"
        }
        self.text = text + (origin?["binding"]?.int.map { ", binding \($0)" } ?? "")
    }
}

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
        return ["computed", "released"].first(where: isTrue) ?? ""
    }
}
