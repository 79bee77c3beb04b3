// SPDX-License-Identifier: MIT
// The member `because` of explain: from the last change back to its origin, and how each was made. Leaves out what the client may
// not read.

extension ReadingMethods {
    func appendReasons(for path: ParsedKeyPath, isDaemons: Bool) {
        answer.append(",\"because\":")
        guard !isDaemons,
            let reasons = tree.reasons(
                for: path,
                readable: readablePaths,
                where: { self.allows(.read, at: $0) }
            )
        else { return answer.append("null") }
        countReplay(after: reasons.revision)
        answer.append("{\"revision\":", reasons.revision)
        let shown = reasons.steps.enumerated().filter { $0.element.path != nil }
        answer.append(",\"steps\":", arrayOf: shown) { (index, step) in
            answer.append("{\"path\":", step.path ?? "")
            append(step.manner)
            if index + 1 == reasons.steps.count {
                answer.append(",\"origin\":", reasons.origin.map(clients.origin))
            }
            answer.append(0x7D)
        }
        if shown.count < reasons.steps.count {
            answer.append(",\"hidden\":", reasons.steps.count - shown.count)
        }
        answer.append(0x7D)
    }

    /// Appends how a commit changed a property.
    func append(_ manner: ChangeManner) {
        switch manner {
        case .assigned: return
        case .binding(let number): answer.append(",\"binding\":", number)
        case .computed: answer.append(",\"computed\":true")
        case .released: answer.append(",\"released\":true")
        }
    }
}
