// SPDX-License-Identifier: MIT
// The names of nodes for components that are no names: operators and selections.

extension TreeState {
    /// The reserved name of the node for the path's operator, with a new reference. Nil if the path has no
    /// operator.
    func operatorName(_ path: ParsedKeyPath) -> NameID? {
        path.operatorIndex.map { internReserved(path, $0..<path.count) }
    }

    /// The name of the node for the component, with a new reference.
    func internNodeName(_ path: ParsedKeyPath, _ index: Int) -> NameID {
        path.isSelection(index)
            ? internReserved(path, index..<index + 1) : records.names.intern(path.name(index))
    }

    private func internReserved(_ path: ParsedKeyPath, _ range: Range<Int>) -> NameID {
        scratchText.removeAll()
        scratchText.append(OperatorName.mark)
        path.appendEscaped(range, to: scratchText)
        return records.names.intern(scratchText.view)
    }
}
