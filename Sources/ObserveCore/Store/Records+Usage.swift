// SPDX-License-Identifier: MIT
// Counts the memory of the tree's models, properties, names and values, as they join the tree and leave it.
//
// A model and its properties count from their making to their release. What only observed paths, dependents or the
// history hold does not count: these have limits of their own.

extension Records {
    /// About how many bytes of memory the tree takes, without temporary values and staged models.
    ///
    /// - Cost: O(1).
    @inline(__always) var usedBytes: Int { countedBytes &- staging.bytes }

    /// The same with staged models.
    @inline(__always) var countedBytes: Int {
        livingBytes &+ names.livingBytes &+ furtherHolders.usedBytes &+ weakReferrers.usedBytes
    }

    /// The bytes of a model without properties.
    static var modelBytes: Int { MemoryLayout<ModelRecord>.stride }

    /// The bytes of a property without its name, and without text and elements.
    static var propertyBytes: Int {
        MemoryLayout<PropertyRecord>.stride &+ HashIndex<PropertyRecord>.entryBytes
    }

    /// Counts a property that joins its model.
    @inline(__always)
    mutating func countProperty(_ id: PropertyID) {
        livingBytes &+= Records.propertyBytes
        names.addLiving(properties[id].name)
    }

    /// Counts a property that leaves its model.
    @inline(__always)
    mutating func discountProperty(_ id: PropertyID) {
        livingBytes &-= Records.propertyBytes
        names.removeLiving(properties[id].name)
    }

    /// Counts the value that the property has now instead of its former one.
    ///
    /// - Parameter old: the former value. `inout`, since a borrowed one would be copied, which counts a reference.
    @inline(__always)
    mutating func countValue(of id: PropertyID, insteadOf old: inout StoredValue) {
        livingBytes &+= properties[id].slot.storageBytes &- old.storageBytes
    }

    /// Counts a property of a model that joins the tree, with its value.
    @inline(__always)
    mutating func countWhole(_ id: PropertyID) {
        countProperty(id)
        livingBytes &+= properties[id].slot.storageBytes
    }

    /// Counts a property of a model that leaves the tree, with its value.
    @inline(__always)
    mutating func discountWhole(_ id: PropertyID) {
        discountProperty(id)
        livingBytes &-= properties[id].slot.storageBytes
    }
}
