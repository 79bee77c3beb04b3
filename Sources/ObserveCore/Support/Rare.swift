// SPDX-License-Identifier: MIT
// Values that few of their owners need. Independent of their contents.

/// A value that has a beginning.
protocol Blank: ~Copyable { init() }

/// A value that takes memory from its first change on. Until then, each read makes a blank one. The value is noncopyable,
/// since the compiler would copy it for each read.
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
            guard let box else {
                let blank = Value()
                yield blank
                return
            }
            yield box.value
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
