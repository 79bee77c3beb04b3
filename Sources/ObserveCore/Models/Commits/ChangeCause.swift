// SPDX-License-Identifier: MIT
// Who assigned a property within a commit. Knows nothing of connections or processes.

/// Who made one change of a commit: whoever asked for the commit, or what the tree did as a consequence (contract §4).
struct ChangeCause: Equatable {
    private let rawValue: Int32

    /// A number for each, which ``init(code:)`` takes back.
    var code: Int32 { rawValue }

    init(code: Int32) { rawValue = code }

    private init(rawValue: Int32) { self.rawValue = rawValue }

    /// The write itself.
    static let writer = ChangeCause(rawValue: 0)
    /// A reference that went with its target, an operator or a computed property whose inputs changed.
    static let consequence = ChangeCause(rawValue: -1)
    /// A value whose lifetime ended.
    static let lifetime = ChangeCause(rawValue: -2)

    /// The binding with that number carried it on.
    static func binding(_ number: Int32) -> ChangeCause { ChangeCause(rawValue: number) }

    /// The binding that carried it on.
    var binding: Int32? { rawValue > 0 ? rawValue : nil }
}
