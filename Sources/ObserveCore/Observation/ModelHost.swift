// SPDX-License-Identifier: MIT
// The protocol by which models are shown to clients. Independent of trees.

/// A host of models: it is notified of each assignment, and reads and assigns properties by name.
///
/// - Threading: as the models'.
/// - Order: a host gets every assignment in the order in which they are made, then the end of the commit. Observers
///   are notified after that.
package protocol ModelHost: AnyObject {
    /// A property of a hosted model was assigned, and has the new value already. Equal values are reported too. Must
    /// not assign anything.
    /// - Parameters:
    ///   - tag: The tag that was passed to ``ObservableModel/beginHosting(by:tag:)``.
    ///   - index: The property's place in the ``PropertyTable`` of the model's class.
    func hosted(_ tag: Int, didAssign index: Int)
    /// A commit in which hosted models changed is about to end: bindings have run, and no observer has been notified.
    /// Assignments made here belong to the commit.
    func commitWillNotify()
}

/// The hosts of one model, as the model's store needs to know them.
protocol HostList: AnyObject {
    func add(_ host: any ModelHost, _ tag: Int)
    /// - Returns: Whether it was the last one.
    func remove(_ host: any ModelHost) -> Bool
    /// Notifies the hosts of an assignment.
    func didAssign(_ key: PropertyKey)
}
