// SPDX-License-Identifier: MIT
// A server that the next program of its process continues. Independent of the command line and of signals.

internal import Dispatch

extension Server {
    /// Lets clients request an upgrade with the method `upgrade`.
    ///
    /// - Parameter begin: called on the queue for each request. It has to answer with
    ///   ``ServerOnQueue/answerUpgrade(_:)``.
    package func allowUpgrades(_ begin: @escaping (ServerOnQueue) -> Void) {
        core.sync { core in
            let loop = core.loop
            loop.upgrade.begin = { [unowned loop] in begin(ServerOnQueue(hub: loop.hub, loop: loop)) }
            loop.hub.beginUpgrade = { [unowned loop] session, id in
                loop.upgrade.add(session, id)
                // After the requests of this turn.
                loop.mailbox.post { $0.upgrade.begin() }
            }
        }
    }

    /// Restores the tree from a handover. Call it before ``start(on:)``: instead of
    /// ``keepState(in:durability:)`` if the handover has the tree, else after it.
    package func takeOver(_ handover: Handover) throws(StateError) {
        try core.sync { (core) throws(StateError) in try core.loop.journaling.takeOver(handover) }
    }

    /// What the next program needs, after ``run(inFirstSilence:)`` has returned for an upgrade: the listener's
    /// descriptor, and the text of a ``Handover``. Nil if the server has ended instead.
    ///
    /// - Parameter withTree: false if the next program reads the tree from the state's folder.
    /// - Parameter configuration: the text of the configuration that stays in force, if the disk is broken.
    package func handover(withTree: Bool, configuration: [UInt8] = []) -> (listener: Int32, text: [UInt8])? {
        core.sync { core in
            guard let listener = core.loop.listener else { return nil }
            let hub = core.loop.hub
            guard let breakage = hub.journaling.breakage else {
                return (listener.number, hub.journaling.handover(socket: listener.file, withTree: withTree))
            }
            let text = Handover.text(
                after: breakage,
                epoch: hub.journaling.epoch,
                socket: listener.file,
                configuration: configuration
            )
            return (listener.number, text)
        }
    }

    /// What a broken disk has kept, after ``run(inFirstSilence:)`` has returned; nil if the server has ended for another
    /// reason.
    package var breakage: Breakage? { core.sync { $0.loop.journaling.breakage } }

    /// Removes the socket, if the next program could not be started.
    package func closeListener() { core.sync { $0.loop.closeListener() } }
}
