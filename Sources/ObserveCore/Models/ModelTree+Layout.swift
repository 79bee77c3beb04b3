// SPDX-License-Identifier: MIT
// Laying out a tree from a program: whole roots and links, by their texts. Knows nothing of files.

extension ModelTree {
    /// Gives a root the value that `json` says; makes the root if there is none.
    ///
    /// - Errors: an empty or reserved name, text that is no JSON, a value beyond the limits.
    package func define(root: String, json: String) throws(TreeError) {
        let name = ByteBuffer()
        name.append(utf8: root)
        guard !name.isEmpty else {
            throw TreeError(kind: .invalidValue, message: "a root's name must not be empty", path: nil)
        }
        let escaped = ByteBuffer()
        escaped.appendEscaped(name: name.view)
        let path = try parsed(escaped.string)
        try ByteView.with(Array(json.utf8)) { (text) throws(TreeError) in
            let token: JSONToken
            do throws(JSONError) { token = try JSONScanner.validate(text, maxDepth: limits.maxDepth) } catch {
                throw TreeError(
                    kind: .invalidValue,
                    message: "the value of \(root) is no JSON: \(error)",
                    path: root
                )
            }
            try commit { () throws(TreeError) in _ = try set(path, to: JSONView(token)) }
        }
    }

    /// Makes `path` refer to the very model that `target` refers to now; both in dotted form.
    package func link(path: String, target: String, isWeak: Bool) throws(TreeError) {
        let (from, to) = (try parsed(path), try parsed(target))
        try commit { () throws(TreeError) in _ = try link(from, to: to, isWeak: isWeak) }
    }

    /// Carries the value of `source` to `target` from now on; both in dotted form.
    package func bind(source: String, target: String, isTwoWay: Bool) throws(TreeError) {
        let (from, to) = (try parsed(source, orOperator: true), try parsed(target))
        try commit { () throws(TreeError) in _ = try addBinding(from, to: to, isTwoWay: isTwoWay) }
    }

    private func parsed(_ text: String, orOperator: Bool = false) throws(TreeError) -> ParsedKeyPath {
        let path = ParsedKeyPath(maxDepth: limits.maxDepth)
        do throws(KeyPathError) { try path.parse(dotted: text) } catch {
            throw TreeError(kind: .invalidValue, message: "\(text): \(error.description)", path: text)
        }
        guard path.isLiteral || (orOperator && !path.hasWildcard) else {
            throw TreeError(
                kind: .invalidValue,
                message: "\(text) is a pattern, not one key path",
                path: text
            )
        }
        return path
    }
}
