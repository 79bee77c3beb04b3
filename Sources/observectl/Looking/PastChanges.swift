// SPDX-License-Identifier: MIT
// The beginning of the daemon's history, and the names of connected processes. Independent of views.

import ObserveCore

/// Finds the oldest revision from which a subscription resumes.
struct PastChanges {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    /// The position before the oldest change that the daemon still has.
    ///
    /// - Parameter pattern: one that the client may read. Its value does not matter.
    func beginning(probing pattern: String) throws(CommandError) -> SubscriptionPosition {
        let path = PastChanges.literalStart(of: pattern)
        let connection = try invocation.connect()
        let status = try attempt(connection.call("status", until: invocation.deadline))
        guard let epoch = status.string("epoch"), let revision = status.int("revision") else {
            throw .client(.malformed("an answer without epoch and revision"))
        }
        // Where the history begins can't be asked, but whether it reaches back to a revision.
        var (low, high) = (Int64(0), revision)
        while low < high {
            let middle = low + (high - low) / 2
            let since = ValueMembers([("epoch", .string(epoch)), ("revision", .int(middle))])
            let params: RequestParams = [
                "path": RawJSON(.string(path)), "since": RawJSON(.object(since)),
            ]
            let answer = try attempt(connection.call("subscribe", params, until: invocation.deadline))
            if answer.member("resumed") == RawJSON(true) { high = middle } else { low = middle + 1 }
        }
        return SubscriptionPosition("\(epoch):\(low)") ?? SubscriptionPosition()
    }

    /// The path before the first wildcard or operator; any path if there is none.
    private static func literalStart(of pattern: String) -> String {
        let components = (try? DottedKeyPath.components(of: pattern, maxDepth: 100_000)) ?? []
        var names: [String] = []
        for component in components {
            guard case .name(let name) = component else { break }
            names.append(name)
        }
        return names.isEmpty ? "log" : DottedKeyPath.text(of: names)
    }

    /// The names of connected processes by their numbers. Empty if the client may not ask for them.
    func names() -> [Int64: String] {
        let clients = try? invocation.request("clients").member("clients")?.elements
        var names: [Int64: String] = [:]
        for client in clients ?? [] {
            if let pid = client.int("pid"), let name = client.string("name") { names[pid] = name }
        }
        return names
    }
}
