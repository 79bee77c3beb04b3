// SPDX-License-Identifier: MIT
// Values that few of their owners need. Independent of their contents.

/// A value that has a beginning.
protocol Blank: ~Copyable {
    init()
}

/// A value that takes memory from its first change on. Until then, each read makes a new one: ask ``isMade`` where reads are
/// many. The value is noncopyable, since the compiler would copy it for each read.
struct Rare<Value: Blank & ~Copyable>: ~Copyable {
    private final class Box {
        #if !DEBUG
            @exclusivity(unchecked)
        #endif
        @safe var value = Value()
    }

    private var box: Box?

    /// Whether it takes memory.
    @inline(__always) var isMade: Bool { box != nil }

    var value: Value {
        _read {
            let made = box ?? Box()
            yield made.value
        }
        _modify {
            let made = box ?? Box()
            box = made
            yield &made.value
        }
    }

    /// Frees the value: the next read finds a new one.
    mutating func forget() { box = nil }
}
