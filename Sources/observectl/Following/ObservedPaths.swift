// SPDX-License-Identifier: MIT
// The paths of a subscription as they were typed, and their latest values. Independent of connections.

import ObserveCore

/// The value of a pattern is the one that changed last among the paths that it matches.
struct ObservedPaths {
    private struct Entry {
        let typed: String
        let components: [DottedKeyPath.Component]
        let hasWildcard: Bool
        var value: RawJSON?
    }

    private var entries: [Entry] = []
    private let prefix: String?
    /// The positions of paths without wildcards, by the form that events have.
    private var positions: [[UInt8]: [Int]] = [:]

    init(_ typed: [String], under prefix: String?, of arguments: ParsedArguments) throws(CommandError) {
        self.prefix = prefix
        for path in typed {
            let whole = ObservedPaths.joined(prefix, path)
            let components = try arguments.components(of: whole)
            let hasWildcard = components.contains(where: \.isWildcard)
            entries.append(Entry(typed: path, components: components, hasWildcard: hasWildcard))
            if !hasWildcard {
                positions[DottedKeyPath.text(of: components).bytes, default: []].append(entries.count - 1)
            }
        }
    }

    static func joined(_ prefix: String?, _ path: String) -> String { prefix.map { "\($0).\(path)" } ?? path }

    var count: Int { entries.count }
    /// Whether a path stands for several values.
    var hasPattern: Bool { positions.count < entries.count && entries.contains { $0.hasWildcard } }
    var typed: [String] { entries.map(\.typed) }

    /// The latest value of a path; nil before the first, and if the daemon left it out.
    func value(_ index: Int) -> RawJSON? { entries[index].value }

    /// The position of a path as it was typed, or with other escapes.
    func position(of typed: String) -> Int? {
        if let index = entries.firstIndex(where: { $0.typed.isExactly(typed) }) { return index }
        let components = ObservedPaths.components(of: ObservedPaths.joined(prefix, typed))
        return entries.firstIndex { $0.components == components }
    }

    mutating func set(_ values: [RawJSON]) {
        for (index, value) in zip(entries.indices, values) { entries[index].value = value }
    }

    /// Notes the new value of an event.
    mutating func apply(_ event: ChangeEvent) {
        guard let path = event.path, !event.isPrior else { return }
        let value = event.new ?? (event.isTruncated ? nil : RawJSON(.null))
        for index in positions[path.bytes] ?? [] { entries[index].value = value }
        guard positions.count < entries.count, let names = ObservedPaths.components(of: path) else { return }
        for index in entries.indices where entries[index].hasWildcard {
            if entries[index].components.matches(names) { entries[index].value = value }
        }
    }

    private static func components(of path: String) -> [DottedKeyPath.Component]? {
        try? DottedKeyPath.components(of: path, maxDepth: 100_000)
    }
}

extension ChangeEvent {
    var path: String? { params.string("path") }

    /// Whether it announces a change, and has no new value.
    var isPrior: Bool { params.member("prior") != nil }
}

private extension [DottedKeyPath.Component] {
    func matches(_ names: [DottedKeyPath.Component]) -> Bool {
        let isDeep = last == .anyDepth
        let fixed = isDeep ? dropLast() : self[...]
        guard isDeep ? names.count >= fixed.count : names.count == fixed.count else { return false }
        return zip(fixed, names).allSatisfy { $0.matches($1) }
    }
}
