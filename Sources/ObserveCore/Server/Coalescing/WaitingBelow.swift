// SPDX-License-Identifier: MIT
// The entries below one deeply observed path that wait for a slow client, by path. Independent of their content.

/// One path at or below a deeply observed one, with its waiting outbox entry, and the paths below it.
///
/// - Bounds: one for each component of a path that has an entry; ``clear(_:)`` removes the others.
/// - Cost: finding a path costs its length; popping all below one costs their number.
final class WaitingBelow {
    /// The entry's number; -1 while there is none.
    var entry = -1
    private var below: [[UInt8]: WaitingBelow] = [:]

    /// The place of a path, made if there is none.
    ///
    /// - Parameter suffix: the path after the observed one: nothing, or a dot and components, as in a JSON string.
    func place(_ suffix: ByteView) -> WaitingBelow {
        var place = self
        var start = 0
        while start < suffix.count {
            let end = suffix.endOfComponent(from: start + 1)
            let name = suffix.slice(start + 1..<end).array
            if let next = place.below[name] {
                place = next
            } else {
                let fresh = WaitingBelow()
                place.below[name] = fresh
                place = fresh
            }
            start = end
        }
        return place
    }

    /// Removes the entry of a path, and the places that served it alone.
    func clear(_ suffix: ByteView) {
        var way: [(WaitingBelow, [UInt8])] = []
        var place = self
        var start = 0
        while start < suffix.count {
            let end = suffix.endOfComponent(from: start + 1)
            let name = suffix.slice(start + 1..<end).array
            guard let next = place.below[name] else { return }
            way.append((place, name))
            place = next
            start = end
        }
        place.entry = -1
        while let (above, name) = way.popLast(), place.entry < 0, place.below.isEmpty {
            above.below[name] = nil
            place = above
        }
    }

    /// Removes and returns the entries of all paths below this one.
    func popBelow() -> [Int] {
        var found: [Int] = []
        var pending = Array(below.values)
        below = [:]
        while let place = pending.popLast() {
            if place.entry >= 0 { found.append(place.entry) }
            pending += place.below.values
        }
        return found
    }
}
