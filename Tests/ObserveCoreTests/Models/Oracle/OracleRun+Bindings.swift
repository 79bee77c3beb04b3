// SPDX-License-Identifier: MIT
// Random bindings in a run of the oracle.

@testable import ObserveCore

extension OracleRun {
    /// Makes roots for the bindings' targets, so that many can write.
    func makeTargets() throws {
        writes.targetRoots = ["out0", "out1", "out2", "out3"]
        for root in writes.targetRoots {
            oracle.begin()
            _ = try oracle.execute(RefOperation(write: .set([root], .object([]), parents: false)))
            _ = oracle.end()
            _ = client.ask(#"{"id":1,"method":"set","params":{"path":"\#(root)","value":{}}}"#)
        }
    }

    /// Removes a binding, or makes one.
    func changeBindings() -> String? {
        let isFull = oracle.bindings.count >= 6
        if !oracle.bindings.isEmpty, isFull || writes.chance(30) { return unbind() }
        return bind()
    }

    private func unbind() -> String? {
        let gone = oracle.bindings.remove(at: writes.below(oracle.bindings.count)).number
        log.append("unbind \(gone)")
        let lines = client.ask(#"{"id":1,"method":"unbind","params":{"binding":\#(gone)}}"#)
        return lines == [#"{"jsonrpc":"2.0","id":1,"result":{}}"#] ? nil : "unbind: \(lines)"
    }

    private func bind() -> String? {
        let (source, target) = (writes.source(in: oracle), writes.target(in: oracle))
        var observedOperator: (function: CollectionOperator, names: [String])?
        if writes.chance(20) {
            let function = CollectionOperator.allCases[writes.below(CollectionOperator.allCases.count)]
            observedOperator = (function, function == .count ? [] : [writes.one(of: writes.names)])
        }
        let isTwoWay = observedOperator == nil && writes.chance(40)
        let fresh = RefBinding(lastBinding + 1, source, observedOperator, target, isTwoWay: isTwoWay)
        let request =
            #"{"id":1,"method":"bind","params":{"source":\#(quoted(fresh.sourceText)),"target":\#(quoted(dotted(target[...]))),"twoWay":\#(isTwoWay)}}"#
        log.append(request)
        let answer = client.ask(request).joined(separator: "\n")
        // A path that the types forbid, or a target that can't be written.
        let isRuledOut =
            oracle.rulesOut(RefMatch(names: source, observedOperator: observedOperator))
            || oracle.rulesOut(RefMatch(names: target, observedOperator: nil))
        if isRuledOut, !answer.contains(#""error""#) { return "bind: \(answer)" }
        // A path to itself, or a pair that is bound already.
        let isBound =
            fresh.sourceText == dotted(target[...])
            || oracle.bindings.contains {
                $0.sourceText == fresh.sourceText && dotted($0.target[...]) == dotted(target[...])
            }
        if isBound, !isRuledOut { return answer.contains("-32602") ? nil : "bind: \(answer)" }
        let isUnfit = oracle.rulesOutValues(
            of: RefMatch(names: source, observedOperator: observedOperator),
            at: target
        )
        if let code = (try? Value(json: answer))?["error"]?["code"]?.int {
            let isExpected =
                code == 1 && isRuledOut || code == 3 && !oracle.schema.types.isEmpty || code == 2 && isUnfit
            return isExpected ? nil : "bind: \(answer)"
        }
        if isUnfit { return "bind: \(answer)" }
        lastBinding += 1
        oracle.begin()
        oracle.bindings.append(fresh)
        _ = oracle.end()
        let expected =
            #"{"jsonrpc":"2.0","id":1,"result":{"binding":\#(lastBinding),"revision":\#(oracle.revision)}}"#
        if answer != expected { return "expected \(expected), found \(answer)" }
        return checkCommit()
    }

    /// The failing bindings of the hub.
    var failing: [Int] { hub.tree.allBindings.filter { $0.failure != nil }.map { Int($0.number) } }

    /// Compares the failing bindings.
    func compareBindings() -> String? {
        let found = failing
        let expected = oracle.bindings.filter(\.isFailing).map(\.number).sorted()
        return found == expected ? nil : "failing: expected \(expected), found \(found)"
    }
}
