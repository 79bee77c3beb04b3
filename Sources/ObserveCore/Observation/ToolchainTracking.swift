// SPDX-License-Identifier: MIT
// Shows a model's properties to the toolchain's `withObservationTracking`. Independent of this library's observers.

internal import Observation

/// The toolchain's record of one model: it takes the model's place, and its subscripts the places of the properties.
///
/// - Threading: as the model's. The registrar takes calls of any thread.
final class ToolchainTracking: Observable {
    private let registrar = ObservationRegistrar()

    init() { ObservationGate.open() }

    deinit { ObservationGate.close() }

    private subscript(key: PropertyKey) -> Void { () }

    func access(_ key: PropertyKey) { registrar.access(self, keyPath: \.[key]) }

    func willAssign(_ key: PropertyKey) { registrar.willSet(self, keyPath: \.[key]) }

    /// A property without ``Published`` announces its changes afterwards alone.
    func didAssign(_ key: PropertyKey) {
        if !key.isStored { registrar.willSet(self, keyPath: \.[key]) }
        registrar.didSet(self, keyPath: \.[key])
    }
}
