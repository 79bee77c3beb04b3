// SPDX-License-Identifier: MIT
// Compares the referrers with a simple list.

import Testing

@testable import ObserveCore

@Suite struct ReferrersTests {
    @Test(arguments: 1...4)
    func `a model's referrers keep the order in which they were added`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var referrers = Referrers(seed: 7)
        var known: [(model: ModelID, property: PropertyID, times: Int)] = []
        for _ in 0..<5000 {
            let model = ModelID.random(in: 0..<6, using: &random)
            let property = PropertyID.random(in: 0..<8, using: &random)
            let place = known.firstIndex { $0.model == model && $0.property == property }
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<10:
                referrers.add(property, to: model)
                if let place {
                    known[place].times += 1
                } else {
                    known.append((model, property, 1))
                }
            case 10..<17:
                #expect(referrers.remove(property, from: model) == (place != nil))
                if let place { known[place].times -= 1 }
            case 17..<19:
                let first = known.firstIndex { $0.model == model }
                #expect(referrers.removeFirst(of: model) == first.map { known[$0].property })
                if let first { known[first].times -= 1 }
            default:
                for property in referrers.all(of: model) {
                    while referrers.remove(property, from: model) {}
                }
                known.removeAll { $0.model == model }
            }
            known.removeAll { $0.times == 0 }
            var listed: [PropertyID] = []
            referrers.forEach(of: model) { listed.append($0) }
            #expect(listed == known.filter { $0.model == model }.map(\.property))
            #expect(referrers.sorted(of: model) == listed.sorted())
            #expect(referrers.contains(model) == !listed.isEmpty)
            #expect(referrers.isEmpty == known.isEmpty)
        }
        var census: [ModelID: [PropertyID: Int]] = [:]
        for entry in known { census[entry.model, default: [:]][entry.property] = entry.times }
        #expect(referrers.census == census)
    }
}
