// SPDX-License-Identifier: MIT
// A tree with observers: takes writes as text and returns events as readable values. Independent of hub and wire.

@testable import ObserveCore

/// One event for one observer.
struct TreeEvent: Equatable, CustomStringConvertible {
    var watcher: Int32
    var path: String
    var reason: ChangeReason
    var old: String
    var new: String
    var kind: ChangeKind?
    var indexes: [Int] = []
    var changedAt: String?
    var nilAt: String?
    var revision: UInt64

    /// `a.b pathChanged 1 -> null changedAt=a nilAt=a r7`
    var description: String {
        var text = "\(path) \(reason)"
        if let kind { text += " \(kind)\(indexes)" }
        text += " \(old) -> \(new)"
        if let changedAt { text += " changedAt=\(changedAt)" }
        if let nilAt { text += " nilAt=\(nilAt)" }
        return text + " r\(revision)"
    }
}

/// A write for the tree.
enum TreeWrite {
    case set(path: String, json: String, parents: Bool)
    case remove(path: String)
    case link(path: String, target: String, isWeak: Bool)
    case insert(path: String, json: String, index: Int)

    var path: String {
        switch self {
        case .set(let path, _, _), .remove(let path), .link(let path, _, _), .insert(let path, _, _): path
        }
    }
}

/// The conditions of a write.
struct TreeCondition {
    var path: String
    var revision: UInt64?
    var value: String?
}

/// Owns a tree, and records its notifications by the observers' numbers.
final class TreeDriver: ChangeSink {
    let tree: ModelTree
    private(set) var history: [TreeEvent] = []
    private(set) var watchers: [Int32: ObserverID] = [:]
    private var patterns: [Int32: [PatternID]] = [:]
    /// The matching paths of each observer's patterns, as the tree reported them.
    private(set) var matches: [Int32: Set<String>] = [:]
    private var matched: [Int32: (watcher: Int32, path: String)] = [:]
    private var lastMatch: Int32 = 0
    private var lastWatcher: Int32 = 0
    /// The tree's reports of bindings that fail and recover.
    private(set) var failures: [String] = []
    /// The cause of each path's last notification.
    private(set) var causes: [String: ChangeCause] = [:]
    var notesCauses = false
    private let path: ParsedKeyPath
    private let target: ParsedKeyPath
    private let out = ByteBuffer()

    /// - Parameter roots: names and values, as JSON.
    init(limits: TreeLimits = TreeLimits(), _ roots: (String, String)...) throws {
        tree = ModelTree(limits: limits)
        path = ParsedKeyPath(maxDepth: limits.maxDepth)
        target = ParsedKeyPath(maxDepth: limits.maxDepth)
        tree.hooks.sink = self
        for (name, json) in roots { try tree.define(root: name, json: json) }
    }

    // MARK: Observing

    @discardableResult
    func observe(_ dotted: String, distinct: Bool = true) throws -> Int32 {
        try path.parse(dotted: dotted)
        lastWatcher += 1
        watchers[lastWatcher] = tree.observe(path, options: distinct ? .distinct : [], tag: lastWatcher)
        return lastWatcher
    }

    /// Observes all paths that match one of the patterns, as one subscription.
    @discardableResult
    func observe(patterns: [String], distinct: Bool = true) throws -> Int32 {
        lastWatcher += 1
        for dotted in patterns {
            try path.parse(dotted: dotted)
            let pattern = tree.observe(
                pattern: path,
                options: distinct ? .distinct : [],
                tag: lastWatcher
            )
            self.patterns[lastWatcher, default: []].append(pattern)
        }
        return lastWatcher
    }

    /// Observes all paths that match a pattern, for as long as the tree lives.
    func observe(pattern dotted: String, distinct: Bool = true) throws {
        try observe(patterns: [dotted], distinct: distinct)
    }

    func stop(_ watcher: Int32) {
        if let observer = watchers.removeValue(forKey: watcher) { tree.removeObserver(observer) }
        for pattern in patterns.removeValue(forKey: watcher) ?? [] { tree.removePattern(pattern) }
    }

    func stopAll() { for watcher in Array(watchers.keys) + Array(patterns.keys) { stop(watcher) } }

    /// The events since the last call.
    func takeEvents() -> [TreeEvent] {
        defer { history.removeAll(keepingCapacity: true) }
        return history
    }

    /// The events since the last call, as text.
    func take() -> [String] { takeEvents().map(\.description) }

    func pathChanged(_ change: borrowing PathChange) {
        var observer = tree.paths.nodes[change.node].firstObserver
        var event: TreeEvent?
        if notesCauses, let path = dotted(change.node) { causes[path] = change.cause }
        while observer != .noRecord {
            let record = tree.paths.observers[observer]
            observer = record.next
            guard change.differs || change.reason == .sourceDeleted || !record.options.contains(.distinct)
            else { continue }
            if change.suffix != nil, !record.options.contains(.deep) { continue }
            var sent = event ?? readable(change)
            event = sent
            sent.watcher = record.group == ObserverRecord.noGroup ? record.tag : record.group
            history.append(sent)
        }
    }

    func pathMatched(pattern tag: Int32, _ observer: ObserverID, isMet: Bool) -> Int32 {
        lastMatch += 1
        let path = dotted(tree.paths.observers[observer].node) ?? "?"
        if matches[tag, default: []].insert(path).inserted { matched[lastMatch] = (tag, path) }
        return lastMatch
    }

    func bindingChanged(_ binding: Binding) {
        failures.append("\(binding.number) \(binding.failure.map { "\($0.kind)" } ?? "works")")
    }

    func changesEnded() {}
    func pathForgotten(_ tag: Int32) {
        guard let (watcher, path) = matched.removeValue(forKey: tag) else { return }
        matches[watcher]?.remove(path)
    }

    func patternOverfull(_ tag: Int32) {}

    private func readable(_ change: borrowing PathChange) -> TreeEvent {
        var event = TreeEvent(
            watcher: 0,
            path: (dotted(change.node) ?? "?") + (change.suffix.map { unescaped($0.string) } ?? ""),
            reason: change.reason,
            old: "",
            new: "",
            changedAt: dotted(change.changedAt),
            nilAt: dotted(change.nilAt),
            revision: tree.revision
        )
        if let edit = change.edit, case .array(let array) = change.new {
            event.kind = edit.kind
            event.indexes = [edit.index]
            event.old = edit.kind == .insertion ? "[]" : "[\(text(edit.old))]"
            event.new = edit.kind == .removal ? "[]" : "[\(text(array.element(edit.index)))]"
        } else {
            event.old = text(change.old)
            event.new = text(change.new)
        }
        return event
    }

    /// The text as a JSON string with escaped backslashes.
    private func unescaped(_ text: String) -> String {
        text.split(separator: "\\\\", omittingEmptySubsequences: false).joined(separator: "\\")
    }

    // MARK: Reading

    /// The value as JSON; `truncated` when it exceeds the limits.
    func text(_ value: StoredValue) -> String {
        out.removeAll()
        return tree.render(value, to: out) ? out.string : "truncated"
    }

    func get(_ dotted: String) throws -> String {
        try path.parse(dotted: dotted)
        return text(tree.read(path).value)
    }

    /// The component that makes the path null, if it is an earlier one.
    func nilAt(_ dotted: String) throws -> String? {
        try path.parse(dotted: dotted)
        guard case .broken(let component, _) = tree.walk(path) else { return nil }
        return path.escaped(first: component + 1)
    }

    func describe(_ dotted: String) throws -> String {
        try path.parse(dotted: dotted)
        out.removeAll()
        tree.describe(path, to: out)
        return out.string
    }

    /// All roots with their strong values.
    var roots: String { text(.model(tree.records.root)) }

    /// The node's path, from the names of its ancestors.
    private func dotted(_ node: NodeID) -> String? {
        guard node != .noRecord else { return nil }
        out.removeAll()
        out.appendEscaped(name: tree.records.names.text(tree.paths.nodes[node].name))
        let name = out.string
        let above = tree.paths.nodes[node].parent
        guard above != tree.paths.rootNode, let prefix = dotted(above) else { return name }
        return prefix + "." + name
    }

    // MARK: Writing

    @discardableResult
    func set(_ path: String, _ json: String, parents: Bool = false, if condition: TreeCondition? = nil) throws
        -> Bool
    {
        try commit([.set(path: path, json: json, parents: parents)], if: condition)[0]
    }

    @discardableResult
    func remove(_ path: String, if condition: TreeCondition? = nil) throws -> Bool {
        try commit([.remove(path: path)], if: condition)[0]
    }

    @discardableResult
    func link(_ path: String, _ target: String, weak: Bool = false, if condition: TreeCondition? = nil) throws
        -> Bool
    {
        try commit([.link(path: path, target: target, isWeak: weak)], if: condition)[0]
    }

    /// Makes all writes in one commit. Returns for each whether it changed the tree.
    @discardableResult
    func commit(_ writes: [TreeWrite], if condition: TreeCondition? = nil) throws(TreeError) -> [Bool] {
        var changed: [Bool] = []
        if condition == nil, writes.count == 1, let known = observedProperty(writes[0]) {
            try tree.commit { () throws(TreeError) in
                changed.append(try set(known.property, known.json, writes[0].path))
            }
            return changed
        }
        try tree.commit { () throws(TreeError) in
            if let condition { try require(condition) }
            for write in writes { changed.append(try execute(write)) }
        }
        return changed
    }

    /// The property that an observed path is bound to, without a walk.
    private func observedProperty(_ write: TreeWrite) -> (property: PropertyID, json: String)? {
        guard case .set(let path, let json, _) = write,
            let node = ByteView.with(path, { tree.visitedNode($0) })
        else { return nil }
        let property = tree.paths.nodes[node].property
        if property == .noRecord || tree.records.properties[property].value.isAbsent { return nil }
        return (property, json)
    }

    private func set(_ property: PropertyID, _ json: String, _ path: String) throws(TreeError) -> Bool {
        try ByteView.with(json) { (bytes) throws(TreeError) in
            try ByteView.with(path) { (path) throws(TreeError) in
                try tree.set(property, to: JSONView(validated: bytes), path: .text(path))
            }
        }
    }

    private func require(_ condition: TreeCondition) throws(TreeError) {
        try parse(condition.path, into: path)
        if let revision = condition.revision { try tree.require(path, unchangedSince: revision) }
        if let value = condition.value {
            guard let expected = try? Value(json: value, maxDepth: 100) else { throw notJSON(value) }
            try tree.require(path, equals: expected)
        }
    }

    private func execute(_ write: TreeWrite) throws(TreeError) -> Bool {
        try parse(write.path, into: path)
        try tree.refuseUnknown(path)
        switch write {
        case .set(_, let json, let parents):
            return try ByteView.with(json) { (bytes) throws(TreeError) in
                guard (try? JSONScanner.validate(bytes, maxDepth: 100)) != nil else { throw notJSON(json) }
                return try tree.set(path, to: JSONView(validated: bytes), parents: parents)
            }
        case .remove: return try tree.remove(path)
        case .link(_, let dotted, let isWeak):
            try parse(dotted, into: target)
            try tree.refuseUnknown(target)
            return try tree.link(path, to: target, isWeak: isWeak)
        case .insert(_, let json, let index):
            try ByteView.with(json) { (bytes) throws(TreeError) in
                try tree.insert(JSONView(validated: bytes), path, at: Int64(index))
            }
            return true
        }
    }

    private func parse(_ dotted: String, into path: ParsedKeyPath) throws(TreeError) {
        do throws(KeyPathError) { try path.parse(dotted: dotted) } catch {
            throw TreeError(kind: .invalidValue, message: "\(dotted): \(error.description)", path: dotted)
        }
    }

    private func notJSON(_ text: String) -> TreeError {
        TreeError(kind: .invalidValue, message: "\(text) is not JSON", path: nil)
    }
}
