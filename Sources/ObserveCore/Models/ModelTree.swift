// SPDX-License-Identifier: MIT
// The tree itself: its records and how they are found, made and freed. Knows nothing of clients, queues or threads.

/// Observable models with shared and weak references, and the index of all paths that somebody observes.
///
/// The roots are the properties of one model that has no holder (``rootModel``), so a root is assigned, observed and
/// removed like any property. How it works, by file:
///
/// 1. ``walk(_:)`` finds the place that a path names (`+Walking`);
/// 2. a write compares, assigns, counts references and notes what it touched (`+Writing`, `+Commit`, `+References`);
/// 3. when the commit ends, what died is settled, and computed properties and bindings are brought up to date
///    (`+Settling`); then every touched property's path nodes are visited, branches that lead elsewhere are bound anew,
///    and each path that has observers is told once (`+Telling`);
/// 4. then the dead are freed.
///
/// What a model has, and what may stand in it, is declared for models that have a type (`Types/`); others are open.
///
/// - Threading: none of its own. Its owner confines it to one queue; the sink is called on it, in the middle of a
///   commit, and must not write.
package final class ModelTree {
    package internal(set) var limits: TreeLimits
    /// Clients can't write it, and it may have the reserved root.
    let isReadOnly: Bool
    /// Counts commits: "Revisions" in docs/protocol.md.
    package internal(set) var revision: UInt64 = 0
    /// The Swift models among the models.
    var hosted: HostedModels?

    /// Models, properties, names and texts.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var records = Records()
    /// What is observed, and where it leads now.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var paths = PathIndex()
    /// Observed patterns.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var wildcards = WildcardTable()
    /// Observed collection operators.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var operators = OperatorTable()
    /// Bindings and computed properties.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var dependents = DependentGraph()
    /// Values with a lifetime, and what they shadow.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var temporary = TemporaryValues()
    /// The declared types.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var typing = Typing()
    /// Where the last walk led.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var walk = WalkState()
    /// The commit under way.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var pending = PendingCommit()
    /// Who is being notified of it.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var notification = Notification()
    /// The last commits.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var history = History()
    /// Who is called in the course of a commit.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var hooks = CommitHooks()

    package convenience init(limits: TreeLimits = TreeLimits()) {
        self.init(limits: limits, isReadOnly: false)
    }

    init(limits: TreeLimits, isReadOnly: Bool) {
        self.limits = limits
        self.isReadOnly = isReadOnly
    }

    /// How many models there are, the set of roots not counted, nor the dead that the history keeps.
    package var modelCount: Int { records.models.count - 1 - history.released.count }

    /// Whether what is laid out is part of one commit: see ``layOut(_:)``.
    package var isLayingOut: Bool { pending.isLayingOut }

    package var bindingCount: Int { dependents.bindings.byNumber.count }

    /// How many bindings could not make their last write, and how many of their writes have failed so far.
    package var failingBindings: Int { dependents.bindings.failing }
    package var failedBindingWrites: UInt64 { dependents.bindings.failedWrites }

    // MARK: Models and properties
}
