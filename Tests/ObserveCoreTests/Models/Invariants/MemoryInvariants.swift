// SPDX-License-Identifier: MIT
// Counts the tree's memory anew, without the sums that the tree keeps.

@testable import ObserveCore

extension ModelTree {
    /// Compares the tree's account of its memory with a count of all properties and values.
    ///
    /// - Parameter present: the properties that a walk from the roots found.
    func memoryFaults(_ present: Set<PropertyID>) -> [String] {
        let present = present.union(stagedProperties)
        var bytes =
            (modelCount + records.staging.modelCount) * Records.modelBytes
            + present.count * Records.propertyBytes
        for id in present { bytes += records.properties[id].slot.recountedBytes }
        let names = Set(present.map { records.properties[$0].name })
        bytes += names.reduce(0) { $0 + records.names.memory(of: $1) }
        for referrers in [records.furtherHolders.census, records.weakReferrers.census] {
            for (property, times) in referrers.values.joined() where !records.isSelection(property) {
                bytes += times * 30
            }
        }
        for stack in stacks.byProperty.values {
            for layer in stack { bytes += ValueStack.valueBytes + layer.value.recountedBytes }
        }
        let counted = usedBytes + records.staging.bytes
        var faults = counted == bytes ? [] : ["\(counted) bytes counted, \(bytes) found"]
        if records.staging.propertyCount != stagedProperties.count {
            faults.append(
                "\(records.staging.propertyCount) staged properties counted, \(stagedProperties.count) found"
            )
        }
        if records.staging.modelCount == 0, records.staging.bytes != 0 {
            faults.append("\(records.staging.bytes) bytes without staged models")
        }
        return faults
    }

    /// The properties of models that are not in the tree yet.
    var stagedProperties: Set<PropertyID> {
        var found: Set<PropertyID> = []
        for model in ModelID(0)..<ModelID(index: records.models.allocatedCount)
        where model != records.root && records.models[model].instance == 0 {
            var id = records.models[model].first
            while id != .noRecord {
                found.insert(id)
                id = records.properties[id].next
            }
        }
        return found
    }
}

extension StoredValue {
    fileprivate var recountedBytes: Int {
        guard case .array(let array) = self else { return storageBytes }
        let places = array.elements.isEmpty ? 48 : 96 + 16 * array.elements.count
        return array.elements.reduce(places) { $0 + $1.recountedBytes }
    }
}
