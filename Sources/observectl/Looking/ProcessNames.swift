// SPDX-License-Identifier: MIT
// The names of processes that write to the daemon, while they are connected. Independent of views.

/// Names by process number, requested when a new number comes.
///
/// - Threading: confined to its owner, whose thread a request blocks.
final class ProcessNames {
    /// Processes that have ended are forgotten beyond that.
    private static let mostNames = 10_000

    private let request: (() -> [Int64: String])?
    /// Empty for processes without a name.
    private var names: [Int64: String]

    /// - Parameters:
    ///   - names: those that are known.
    ///   - request: the names of the connected processes; nil if those that are known suffice.
    init(_ names: [Int64: String] = [:], request: (() -> [Int64: String])? = nil) {
        (self.names, self.request) = (names, request)
    }

    func name(of pid: Int64) -> String? {
        if let name = names[pid] { return name.isEmpty ? nil : name }
        guard let request else { return nil }
        if names.count > ProcessNames.mostNames { names = [:] }
        for (pid, name) in request() { names[pid] = name }
        // Asked once: it has ended.
        names[pid] = names[pid] ?? ""
        return names[pid].flatMap { $0.isEmpty ? nil : $0 }
    }
}
