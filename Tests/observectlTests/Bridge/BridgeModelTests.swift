// SPDX-License-Identifier: MIT
// Random writes and faults on several simulated machines: at the end, all trees are what the stream's order leaves.

import Testing

@testable import ObserveCore
@testable import observectl

@Suite struct BridgeModelTests {
    private static var seeds: ClosedRange<UInt64> {
        let bounds = (Platform.environment("OBSERVED_TEST_SEEDS") ?? "").split(separator: "-").compactMap {
            UInt64($0)
        }
        return bounds.count == 2 ? bounds[0]...bounds[1] : 1...(bounds.first ?? 60)
    }

    @Test(.timeLimit(.minutes(15)), arguments: [false, true])
    func `daemons are equal once all faults are over`(hasFaults: Bool) {
        for seed in BridgeModelTests.seeds {
            var world = BridgeWorld(seed: seed, hosts: 2 + Int(seed % 2))
            for _ in 0..<4 {
                for _ in 0..<500 { world.step(faults: hasFaults) }
                guard world.heal() else {
                    Issue.record("seed \(seed): it never comes to rest")
                    return
                }
                if let fault = Self.fault(of: world) {
                    Issue.record("seed \(seed): \(fault)")
                    return
                }
            }
        }
    }

    private static func fault(of world: BridgeWorld) -> String? {
        let expected = world.stream.leaves
        for host in world.hosts.indices {
            let bridge = world.hosts[host].bridge
            let found = world.leaves(of: host)
            if found != expected { return "host \(host) has \(found), and the stream has \(expected)" }
            if !bridge.isSettled { return "host \(host) waits for something" }
            if !bridge.inbound.refused.isEmpty { return "host \(host) refused something" }
        }
        return nil
    }
}
