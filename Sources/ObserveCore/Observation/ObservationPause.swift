// SPDX-License-Identifier: MIT
// Defers evaluations during an in-place change. Independent of the property.

/// An in-place change of a property. If it releases a model, the end of that must not cause a read of the property, so
/// evaluations wait for ``end()``, on the same thread.
@usableFromInline @safe struct ObservationPause {
    @safe private let context: UnsafeRawPointer

    @usableFromInline init() {
        unsafe context = ObservationContext.withCurrent { context in
            context.begin()
            return unsafe UnsafeRawPointer(Unmanaged.passUnretained(context).toOpaque())
        }
    }

    @usableFromInline func end() {
        #if DEBUG
            let isHere = ObservationContext.withCurrent { here in
                unsafe UnsafeRawPointer(Unmanaged.passUnretained(here).toOpaque()) == self.context
            }
            if !isHere {
                fatalError(
                    """
                    an in-place change of a published property waited (`await`) and ended on another thread. Change a copy, and \
                    assign that
                    """
                )
            }
        #endif
        let context = unsafe Unmanaged<ObservationContext>.fromOpaque(context)
        unsafe context._withUnsafeGuaranteedRef { $0.end() }
    }
}
