// SPDX-License-Identifier: MIT
// The beginning of the daemon's history, and the names of connected processes. Independent of views.

import ObserveCore

extension Invocation {
    /// The oldest position from which a subscription resumes: before the oldest change that the daemon still has, and can send.
    /// - Parameter pattern: one that the client may read. Its value does not matter.
    func beginningOfHistory(probing pattern: String, _ params: RequestParams) throws(CommandError)
        -> SubscriptionPosition
    {
        let connection = try connect()
        let status = try attempt(connection.call("status", until: deadline))
        guard let epoch = status.string("epoch"), let revision = status.int("revision")
        else { throw .client(.malformed("an answer without epoch and revision")) }
        func resumes(_ params: RequestParams, from revision: Int64) throws(ClientError) -> Bool {
            let since = RawJSON(["epoch": .string(epoch), "revision": .int(revision), "times": true])
            let answer = try connection.call("subscribe", params + ["since": since], until: deadline)
            let subscription = answer.member("subscription") ?? RawJSON(.null)
            _ = try connection.call("unsubscribe", ["subscription": subscription], until: deadline)
            while connection.waitingEvent() != nil {}
            return answer.isTrue("resumed")
        }
        // Where the history begins can't be asked, but whether it reaches back to a revision.
        func first(_ params: RequestParams, from start: Int64) throws(ClientError) -> Int64 {
            var (low, high) = (start, revision)
            while low < high {
                let middle = low + (high - low) / 2
                if try resumes(params, from: middle) { high = middle } else { low = middle + 1 }
            }
            return low
        }
        let probe = Invocation.probe(of: pattern)
        var beginning: Int64
        do throws(ClientError) {
            beginning = try first(["path": RawJSON(.string(probe))], from: 0)
        } catch .refused(let refusal) {
            // It is about the typed pattern.
            let message = refusal.message.replacing(probe, with: pattern, maxReplacements: 1)
            throw .refused(refusal, saying: message)
        } catch {
            throw .client(error)
        }
        if try !attempt(resumes(params, from: beginning)) {
            let unkept = operands.first(where: Invocation.hasNoHistory)
            let reason = unkept.map { "keeps no history of \($0)" } ?? "does not send so many at once"
            process.report("older changes are left out: the daemon \(reason)")
            beginning = try attempt(first(params, from: beginning))
        }
        return SubscriptionPosition("\(epoch):\(beginning)") ?? SubscriptionPosition()
    }

    /// Whether the path is in the daemon's own root.
    static func hasNoHistory(_ path: String) -> Bool { path == "observed" || path.hasPrefix("observed.") }

    /// The path before the first wildcard or operator. If there is none, a pattern that matches little: the daemon may be
    /// closed to any name.
    private static func probe(of pattern: String) -> String {
        let components = (try? DottedKeyPath.components(of: pattern, maxDepth: 100_000)) ?? []
        var names: [String] = []
        for component in components {
            guard case .name(let name) = component else { break }
            names.append(name)
        }
        return names.isEmpty ? "*.observed" : DottedKeyPath.text(of: names)
    }

    /// The names of connected processes by their numbers. Empty if the client may not ask for them.
    func processNames() -> [Int64: String] {
        let clients = try? request("clients").member("clients")?.elements
        var names: [Int64: String] = [:]
        for client in clients ?? [] {
            guard let pid = client.int("pid"), let name = client.string("name") else { continue }
            if !name.isEmpty { names[pid] = name }
        }
        return names
    }
}

/// Names by process number, requested when a new number comes.
/// - Threading: confined to its owner, whose thread a request blocks.
final class ProcessNames {
    /// Processes that have ended are forgotten beyond that.
    private static let mostNames = 10_000

    private let request: () -> [Int64: String]
    /// Nil for processes without a name.
    private var names: [Int64: String?] = [:]

    init(request: @escaping () -> [Int64: String]) { self.request = request }

    func name(of pid: Int64) -> String? {
        if let name = names[pid] { return name }
        if names.count > ProcessNames.mostNames { names = [:] }
        // Asked once: if it has no name now, it has ended.
        names[pid] = .some(nil)
        for (pid, name) in request() { names[pid] = name }
        return names[pid] ?? nil
    }
}
