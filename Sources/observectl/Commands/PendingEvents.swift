// SPDX-License-Identifier: MIT
// The events that wait for the next run of a command. Independent of the command.

import ObserveCore

/// The frames since the last run. Of each path, the last event waits, so memory is bounded by the number of paths.
struct PendingEvents {
    private var events: [ChangeEvent?] = []
    private var positions: [String: Int] = [:]
    /// The value of a path before the first of its events; its key is missing if the daemon did not say.
    private var olds: [String: RawJSON] = [:]

    var isEmpty: Bool { positions.isEmpty }

    mutating func add(_ frame: [ChangeEvent]) {
        for event in frame {
            let path = event.path ?? ""
            if let former = positions[path] {
                events[former] = nil
            } else if let old = event.params.member("old") {
                olds[path] = old
            }
            positions[path] = events.count
            events.append(event)
        }
        if events.count > 2 * positions.count + 64 { compact() }
    }

    /// The events as JSON lines, in the order of their commits.
    var lines: [UInt8] { events.flatMap { $0.map { $0.params.bytes + [0x0A] } ?? [] } }

    /// The variables of the first event. A value that an environment can't hold is left out.
    var variables: [String: String?] {
        guard let event = events.lazy.compactMap(\.self).first else { return [:] }
        let path = event.path ?? ""
        return [
            "OBSERVED_PATH": PendingEvents.variable(Array(path.utf8)),
            "OBSERVED_VALUE": event.new.flatMap { PendingEvents.variable($0.unquoted) },
            "OBSERVED_OLD": olds[path].flatMap { PendingEvents.variable($0.unquoted) },
        ]
    }

    private static let longestVariable = 100 << 10

    private static func variable(_ bytes: [UInt8]) -> String? {
        guard bytes.count <= longestVariable, !bytes.contains(0) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func compact() {
        events = events.compactMap(\.self)
        for (index, event) in events.enumerated() { positions[event?.path ?? ""] = index }
    }
}
