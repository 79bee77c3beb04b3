// SPDX-License-Identifier: MIT
// What an observer reads of the toolchain's objects. Independent of dependencies on models.

internal import Observation
import Synchronization

/// Whether an observer reads objects with `@Observable`.
enum ToolchainUse {
    /// It was not evaluated yet. An expression may have captured such an object.
    case unknown
    /// Its models lead to none.
    case none
    /// Its models may lead to one.
    case possible
    case following(ToolchainReads)

    var isNone: Bool { if case .none = self { true } else { false } }

    var reads: ToolchainReads? { if case .following(let reads) = self { reads } else { nil } }

    /// Notes that a model was read from which a path may lead to such an object.
    mutating func notePossible() { if reads == nil { self = .possible } }

    func removeAll() { reads?.removeAll() }
}

/// What one evaluation of an observer read of objects with `@Observable`. The toolchain tells it of the first change there,
/// *before* that change. So it makes the observer stale later, as work of its own on the observer's actor.
///
/// - Bounds: an observer has at most one. The toolchain forgets the reads of a tracking only when one of them changes. So each
///   tracking also reads this object, which "changes" when the observer reads anew, or ends.
/// - Threading: ``willChange()`` on any thread, all else as the models'.
final class ToolchainReads: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    let home: ObservationHome
    /// Used at home alone.
    nonisolated(unsafe) private weak let observer: Observer?
    private let life = Atomic(ToolchainReadsLife.active)

    init(of observer: Observer, at home: ObservationHome) {
        unsafe self.observer = observer
        self.home = home
    }

    private var end: Void { () }

    func read() { registrar.access(self, keyPath: \.end) }

    func willChange() {
        guard life.compareExchange(expected: .active, desired: .changing, ordering: .relaxed).exchanged
        else { return }
        home.actor?.runLater { [self] in
            // If the observer has read anew meanwhile, it has the new value.
            if life.load(ordering: .relaxed) == .changing { unsafe observer?.touchByPart() }
        }
    }

    func removeAll() {
        life.store(.removed, ordering: .relaxed)
        registrar.willSet(self, keyPath: \.end)
    }
}

private enum ToolchainReadsLife: UInt8, AtomicRepresentable {
    case active
    /// The observer becomes stale as soon as its actor is free.
    case changing
    case removed
}
