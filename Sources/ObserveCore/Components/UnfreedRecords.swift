// SPDX-License-Identifier: MIT
// Models and arrays that nothing refers to any more, until their memory is returned. Data only.

/// Released models that the history has dropped, and large arrays: so many elements that the tree frees them in slices.
struct UnfreedRecords: ~Copyable {
    /// Freeing so many elements of an array takes about as long as freeing a property.
    static let elementsInUnit = 32
    /// A smaller array is freed at once.
    private static let leastElements = 1 << 13

    /// The models; the last one may have lost some of its properties.
    private(set) var models = Scratch<ModelID>()
    private var arrays = Scratch<StoredArray>()
    /// What is left to free: a model and a property are one each.
    private(set) var units = 0
    /// The properties among them.
    private(set) var properties = 0

    mutating func add(_ model: ModelID, properties: Int) {
        models.append(model)
        self.properties += properties
        units += properties + 1
    }

    /// Keeps the array if it is large: the caller drops its own reference.
    mutating func add(_ array: StoredArray) {
        guard array.elements.count >= UnfreedRecords.leastElements else { return }
        units += array.elements.count / UnfreedRecords.elementsInUnit + 1
        arrays.append(array)
    }

    /// Frees elements of the last array. Returns the units freed; 0 without an array.
    mutating func freeElements(atMost limit: Int) -> Int {
        guard var array = arrays.popLast() else { return 0 }
        let rest = array.elements.count / UnfreedRecords.elementsInUnit + 1
        // Another owner frees the elements.
        let freed = isKnownUniquelyReferenced(&array) ? min(rest, limit) : rest
        if freed < rest {
            array.removeLast(atMost: freed * UnfreedRecords.elementsInUnit)
            arrays.append(array)
        }
        units -= freed
        return freed
    }

    mutating func noteFreedProperty() {
        units -= 1
        properties -= 1
    }

    /// Removes the last model, whose record the caller frees.
    mutating func removeModel() {
        _ = models.popLast()
        units -= 1
    }
}
