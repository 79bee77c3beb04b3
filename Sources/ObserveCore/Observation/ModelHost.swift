// SPDX-License-Identifier: MIT
// The protocol of hosts, which serve models to clients. Independent of trees.

/// A host of models. It is notified of each assignment, and reads and assigns properties through a ``PropertyTable``.
/// - Threading: as the models'.
/// - Order: a host gets all assignments in their order, then the end of the commit. Observers are notified afterwards.
package protocol ModelHost: AnyObject {
    /// Called after each assignment of a hosted model's property, also of an equal value, and when a weak property's target is
    /// deinitialised. Must not assign anything.
    /// - Parameters:
    ///   - tag: The tag that was passed to ``ObservableModel/beginHosting(by:tag:)``.
    ///   - index: The property's index in the ``PropertyTable`` of the model's class.
    func hosted(_ tag: Int, didAssign index: Int)
    /// Called at the end of a commit that changed hosted models, after its bindings and before its observers.
    /// Assignments here belong to the commit.
    func commitWillNotify()
}

/// The hosts of one model, as its store uses them.
protocol HostList: AnyObject {
    func add(_ host: any ModelHost, _ tag: Int)
    /// - Returns: Whether it was the last one.
    func remove(_ host: any ModelHost) -> Bool
    func didAssign(_ key: PropertyKey)
}
