// SPDX-License-Identifier: MIT
// The values that only one side of a replication has. Independent of connections.

/// Why one side does not have the other's value, by path.
struct ReplicationProblems {
    private var messages: [String: String] = [:]

    var isEmpty: Bool { messages.isEmpty }

    /// The problem of the first path.
    var first: (path: String, message: String)? {
        messages.min { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Notes a refusal. A path that is gone has no problem.
    /// - Parameter name: The path in the daemon's messages.
    mutating func note(_ error: DaemonError, at path: String, named name: String) {
        if error.code == .notFound {
            messages[path] = nil
            return
        }
        let starts = [path, name].flatMap { ["\($0): ", "\($0) "] }
        let start = starts.first { error.message.hasPrefix($0) } ?? ""
        messages[path] = String(error.message.dropFirst(start.count))
    }

    /// Removes the problems of a path and of those below it.
    mutating func remove(below path: String) {
        if isEmpty { return }
        messages = messages.filter { !ReplicatedPath.isPrefix(path, of: $0.key) }
    }

    /// The outermost path with a problem that leads to `path`, or is the same.
    func path(leadingTo path: String) -> String? {
        ReplicatedPath.outermost(of: messages.keys, leadingTo: path)
    }

    /// The paths with a problem of which one leads through the other.
    func paths(overlapping path: String) -> [String] {
        messages.keys.filter { ReplicatedPath.overlap($0, path) }
    }
}

enum ReplicatedPath {
    /// Whether one of the paths leads through the other.
    static func overlap(_ one: String, _ other: String) -> Bool {
        isPrefix(one, of: other) || isPrefix(other, of: one)
    }

    static func outermost(of paths: some Sequence<String>, leadingTo path: String) -> String? {
        paths.filter { isPrefix($0, of: path) }.min { $0.utf8.count < $1.utf8.count }
    }

    /// Whether `path` leads through `outer`, or is the same.
    static func isPrefix(_ outer: String, of path: String) -> Bool {
        let (short, long) = (outer.utf8, path.utf8)
        guard long.starts(with: short) else { return false }
        return long.count == short.count || long[long.index(long.startIndex, offsetBy: short.count)] == 0x2E
    }
}
