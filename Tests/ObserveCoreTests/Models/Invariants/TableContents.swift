// SPDX-License-Identifier: MIT
// The whole contents of the tree's tables, which only checks read.

@testable import ObserveCore

extension KnownPaths {
    /// All known paths.
    var all: [(path: [UInt8], property: PropertyID)] {
        (0..<KnownPaths.places).compactMap { place in
            let entry = unsafe entries[place]
            guard entry.era == era else { return nil }
            let text = unsafe ByteView(
                base: UnsafePointer(texts) + place * KnownPaths.longest,
                count: Int(entry.count)
            )
            return (text.array, entry.property)
        }
    }
}

extension Referrers {
    /// How often each property refers to each model.
    var census: [ModelID: [PropertyID: Int]] {
        var found: [ModelID: [PropertyID: Int]] = [:]
        for number in ID<Record>(0)..<ID(index: records.allocatedCount) where records[number].times > 0 {
            found[records[number].model, default: [:]][records[number].property] = Int(records[number].times)
        }
        return found
    }
}

extension TextPool {
    /// How many bytes the pages take, used or not.
    var pageBytes: Int { pageCount * TextPool.pageSize }
}
