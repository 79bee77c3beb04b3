// SPDX-License-Identifier: MIT
// One observer and when its turn comes. Knows nothing of the values: its step does.

import Synchronization

/// What the engine asks of an observer.
@usableFromInline
enum ObserverStep {
    /// Read the value for the first time, and tell it if that is asked for.
    case begin
    /// Read the value again. True if it has to be told.
    case evaluate
    /// Tell what was evaluated, the oldest first.
    case tell
    /// Tell that there will be a change. True if that was told.
    case early(isEqual: Bool)
    /// The source is gone. True if that has to be told.
    case sourceDeleted
}

/// When an observer's turn comes.
@usableFromInline
enum ObserverRole {
    /// Told after the commit.
    case observer
    /// Runs within the commit, before anybody is told.
    case binding
    /// Told before each assignment, and never after.
    case willChange
}

/// Somebody who is told when what it reads changes.
///
/// - Threading: as the models'.
/// - Order: whoever began earlier is told earlier.
/// - Cost: evaluating compares each property that is read with the one that was read at this place the last time. Only
///   where they differ is anything linked anew, and nothing is allocated unless there are more than ever before.
@usableFromInline
@safe
final class Observer {
    private static let count = Atomic<UInt64>(0)

    let role: ObserverRole
    /// Whether it is told before assignments.
    let isEarly: Bool
    /// Whether it wants to know why something changed.
    private let needsCause: Bool
    /// Counts observers in the order in which they began.
    let number = Observer.count.add(1, ordering: .relaxed).newValue
    private let step: (Observer, ObserverStep) -> Bool

    // What it depends on: see Observer+Dependencies

    @safe @exclusivity(unchecked) var dependencies: UnsafeMutablePointer<Dependency>?
    @safe @exclusivity(unchecked) var capacity: Int32 = 0
    @safe @exclusivity(unchecked) var dependencyCount: Int32 = 0
    /// As many of the first dependencies are not read but given.
    @safe @exclusivity(unchecked) var fixedCount: Int32 = 0
    /// Which of them is the end of a model, which is the observer's end.
    @safe @exclusivity(unchecked) var sourcePosition: Int32 = -1
    /// How many were read in the evaluation that is under way.
    @safe @exclusivity(unchecked) var cursor: Int32 = 0
    /// The number of that evaluation.
    @safe @exclusivity(unchecked) var mark: UInt64 = 0

    // What became of it

    @safe @exclusivity(unchecked) var isStale = false
    @safe @exclusivity(unchecked) var hasLostSource = false
    @safe @exclusivity(unchecked) @usableFromInline private(set) var isCancelled = false
    /// The first of its dependencies that were touched.
    @safe @exclusivity(unchecked) var touchedPosition: Int32 = 0
    @safe @exclusivity(unchecked) var touched: TouchedProperty?
    /// It was told of a change to come, and not yet of the change.
    @safe @exclusivity(unchecked) @usableFromInline var owesChange = false
    /// In which commit it ran last, and how often: bindings alone.
    @safe @exclusivity(unchecked) private var runs: (commit: UInt64, count: Int) = (0, 0)
    /// It keeps itself alive until it is cancelled.
    @safe @exclusivity(unchecked) private var isKept = false
    /// In how many of a context's lists it is. They don't retain it, since that costs as much as all the rest.
    @safe @exclusivity(unchecked) private var listed: Int32 = 0
    @safe @exclusivity(unchecked) private var context: Unmanaged<ObservationContext>?

    @usableFromInline
    init(
        role: ObserverRole,
        options: ObservingOptions,
        needsCause: Bool,
        step: @escaping (Observer, ObserverStep) -> Bool
    ) {
        self.role = role
        isEarly = role == .willChange || options.contains(.prior)
        self.needsCause = needsCause
        self.step = step
    }

    deinit {
        unlink(from: 0)
        if let dependencies { unsafe dependencies.deallocate() }
    }

    // MARK: What the engine asks

    /// Reads the value for the first time.
    func begin() { _ = step(self, .begin) }

    /// Reads the value again. True if the observer waits to be told now.
    func evaluate(in context: ObservationContext) -> Bool {
        isStale = false
        if isCancelled { return false }
        if hasLostSource {
            if step(self, .sourceDeleted) { return true }
            cancel()
            return false
        }
        if needsCause { touched = firstTouched() }
        return step(self, .evaluate)
    }

    /// Tells the oldest change that waits.
    func tell() {
        if !isCancelled { _ = step(self, .tell) }
    }

    /// Tells of a change to come, once for each.
    func tellEarly(_ position: Int32, isEqual: Bool) {
        if isCancelled || owesChange { return }
        touchedPosition = position
        touched = firstTouched()
        owesChange = step(self, .early(isEqual: isEqual)) && role != .willChange
    }

    /// Tells the first value, and what that causes only afterwards.
    @usableFromInline
    func tellingInitially(_ body: () -> Void) {
        ObservationContext.withCurrent { context in
            if role == .binding { context.untracked(body) } else { context.telling(body) }
        }
    }

    /// Whether a binding may run once more in this commit.
    func mayRun(in commit: UInt64) -> Bool {
        if runs.commit != commit { runs = (commit, 0) }
        runs.count += 1
        return runs.count <= 100
    }

    // MARK: Lists

    @inline(__always)
    func enlist(_ context: ObservationContext) {
        assert(
            unsafe listed == 0 || self.context?.toOpaque() == Unmanaged.passUnretained(context).toOpaque(),
            "models that are observed together belong to one queue, actor or thread"
        )
        listed &+= 1
        unsafe self.context = Unmanaged.passUnretained(context)
    }

    @inline(__always)
    func delist() { listed &-= 1 }

    // MARK: Ending

    /// Never told again, from now on.
    @usableFromInline
    func cancel() {
        if isCancelled { return }
        isCancelled = true
        if listed > 0, let context { unsafe context._withUnsafeGuaranteedRef { $0.keep(self) } }
        unlink(from: 0)
        fixedCount = 0
        if isKept {
            isKept = false
            unsafe Unmanaged.passUnretained(self).release()
        }
    }

    /// Lives on without anybody who holds it, until it is cancelled or the source is gone.
    @usableFromInline
    func keep() {
        guard !isKept, !isCancelled else { return }
        isKept = true
        _ = unsafe Unmanaged.passRetained(self)
    }
}
