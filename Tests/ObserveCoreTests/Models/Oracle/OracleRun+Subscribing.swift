// SPDX-License-Identifier: MIT
// The subscriptions of a run.

@testable import ObserveCore

extension OracleRun {
    /// Ends one or two subscriptions and makes others.
    func changeSubscriptions() -> String? {
        while subscriptions.count > 8 || (subscriptions.count > 4 && writes.chance(40)) {
            let gone = subscriptions.remove(at: writes.below(subscriptions.count)).number
            let lines = watcher.ask(
                #"{"id":1,"method":"unsubscribe","params":{"subscription":\#(gone)}}"#
            )
            if lines != [#"{"jsonrpc":"2.0","id":1,"result":{}}"#] { return "unsubscribe: \(lines)" }
            let faults = hub.tree.patternFaults()
            if !faults.isEmpty { return "after unsubscribing: \(faults)" }
        }
        while subscriptions.count < 9 { if let fault = subscribe() { return fault } }
        return nil
    }

    private func subscribe() -> String? {
        writes.watched = watched
        var patterns = writes.subscription(in: oracle).filter { !$0.isReserved }
        if let unknown = patterns.first(where: { oracle.rulesOut($0) }) {
            let lines = watcher.ask(
                #"{"id":1,"method":"subscribe","params":{"path":\#(quoted(unknown.text))}}"#
            )
            if (try? Value(json: lines[0]))?["error"]?["code"]?.int != 1 {
                return "\(unknown.text): \(lines)"
            }
            patterns.removeAll { oracle.rulesOut($0) }
        }
        if patterns.isEmpty { return nil }
        var options = OracleOptions()
        options.isDistinct = watching == .distinct || writes.chance(65)
        options.wantsOld = writes.chance(80)
        options.wantsPrior = writes.chance(25)
        options.wantsInitial = writes.chance(60)
        lastSubscription += 1
        let fresh = OracleSubscription(lastSubscription, patterns, options, in: oracle)
        let paths = patterns.map { quoted($0.text) }.joined(separator: ",")
        log.append("subscribe \(fresh.text)")
        let lines = watcher.ask(
            #"{"id":1,"method":"subscribe","params":{"paths":[\#(paths)]\#(options.json)}}"#
        )
        subscriptions.append(fresh)
        let count = options.wantsInitial ? fresh.matches.count : 0
        let expected =
            #"{"jsonrpc":"2.0","id":1,"result":{"subscription":\#(lastSubscription),"revision":\#(oracle.revision),"epoch":"\#(hub.journaling.epoch)","initial":\#(count),"resumed":false}}"#
        guard lines.first == expected else { return "\(fresh.text): \(lines), expected \(expected)" }
        var initial: Set<[String]> = []
        for line in lines.dropFirst() {
            guard let params = (try? Value(json: line))?["params"], let event = TreeEvent(params),
                event.reason == .initial, event.watcher == lastSubscription, event.old.isEmpty,
                event.revision == oracle.revision
            else { return "no initial event: \(line)" }
            if (params["more"] == true) != (line != lines.last) { return "more: \(line)" }
            initial.insert([event.path, event.new, event.nilAt ?? ""])
        }
        if lines.count != count + 1 || (options.wantsInitial && initial != fresh.initial(oracle)) {
            return "\(fresh.text): initial \(initial), expected \(fresh.initial(oracle))"
        }
        return nil
    }
}

extension RefPattern {
    /// Whether it concerns the daemon's own root.
    fileprivate var isReserved: Bool {
        if case .name("observed") = parts[0] { return true }
        return false
    }
}
