// SPDX-License-Identifier: MIT
// What other clients write at a published path. Independent of connections.

import ObserveCore

/// Notes which part of a published value is another client's. It reports the first hundred different parts.
struct ForeignWrites {
    private static let mostParts = 100

    /// The path in the form that events have.
    private let path: String
    private var parts: Set<[UInt8]> = []
    /// Whether another value has taken the place of the published one.
    private(set) var hasReplaced = false
    /// The revision of the last foreign write; nil before the first.
    private(set) var revision: Int64?

    /// - Throws: a usage error for text that is not a key path, or is a pattern.
    init(_ path: String, _ arguments: ParsedArguments) throws(CommandError) {
        self.path = DottedKeyPath.text(of: try arguments.valuePath(path))
    }

    /// Observes the path and everything below it.
    var params: RequestParams {
        ["path": RawJSON(.string("\(path).**")), "initial": false, "own": false, "origin": true]
    }

    /// - Returns: a sentence for the user; nil if it was said before, or the value only became visible again.
    mutating func note(_ event: ChangeEvent) -> String? {
        guard let changed = event.path else { return nil }
        revision = event.params.int("revision")
        let origin = event.params.member("origin")
        let writer = origin?.int("pid").map { "process \($0)" }
        guard changed.isExactly(path) else {
            guard let writer, parts.count < ForeignWrites.mostParts else { return nil }
            guard parts.insert(changed.bytes).inserted else { return nil }
            return "\(writer) wrote \(changed.printable); that stays until a line names it"
        }
        let isFirst = !hasReplaced
        hasReplaced = true
        guard isFirst, let writer else { return nil }
        let place = event.params.string("changedAt") ?? changed
        return "\(writer) replaced \(place.printable); the next line publishes the whole value again"
    }

    /// Notes that the whole value is published again.
    mutating func clear() { (hasReplaced, parts) = (false, []) }
}
