// SPDX-License-Identifier: MIT
// Finds the cause of an observed path's change. Changes nothing.

extension NotifyingTree {
    /// The cause of the change at the end of the descent.
    @inline(__always) func cause(of node: NodeID, _ descent: Descent) -> ChangeCause {
        descent.mixedTouch == 0 ? descent.cause : mixedCause(of: node, descent)
    }

    /// The cause of the element's own change; if the writer assigned the element, the cause of the descent.
    @inline(never) private func mixedCause(of node: NodeID, _ descent: Descent) -> ChangeCause {
        let touch = pending.touches[Int(descent.mixedTouch) - 1]
        var indices: [Int] = []
        var above = node
        while above != paths.rootNode, paths.nodes[above].property != touch.property {
            indices.append(Int(paths.nodes[above].index))
            above = paths.nodes[above].parent
        }
        indices.reverse()
        let own = touch.elementCauses?.cause(at: indices[...]) ?? touch.cause
        return own == .writer ? descent.cause : own
    }

    /// The descent with a node whose own property the commit touched. Unless the writer assigned it, its own cause wins.
    func extended(_ descent: Descent, to node: NodeID, _ touch: Touch) -> Descent {
        var own = descent
        own.cause = descent.changedAt == .noRecord ? .writer : cause(of: node, descent)
        own.mixedTouch = touch.elementCauses == nil ? 0 : records.properties[touch.property].touch
        if touch.elementCauses == nil, touch.cause != .writer { own.cause = touch.cause }
        return own
    }
}
