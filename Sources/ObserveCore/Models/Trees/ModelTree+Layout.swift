// SPDX-License-Identifier: MIT
// Makes roots, links and bindings from their texts, for a program or its layout. Independent of files.

extension ModelTree {
    /// Runs `body`, which makes roots, links and bindings, as one commit: none of them if it throws.
    package func layOut<E: Error>(_ body: () throws(E) -> Void) throws(E) {
        pending.isLayingOut = true
        defer { pending.isLayingOut = false }
        allowElements()
        try commit(body)
    }

    private func commitLayout(_ body: () throws(TreeError) -> Void) throws(TreeError) {
        guard pending.isLayingOut else { return try layOut(body) }
        try body()
        endOperation()
    }

    /// Gives a root the value of `json`. Makes the root if it is missing.
    /// - Parameter json: nil for the empty value of the root's declared type: null, zero, or a model with its defaults.
    /// - Errors: a reserved name, invalid JSON, a value beyond the limits or of another type.
    package func define(root: String, json: String?) throws(TreeError) {
        let path = try path(toRoot: root)
        try commitLayout { () throws(TreeError) in try set(path, to: json, root) }
    }

    /// Returns every reason why the root refuses that value. Do not call inside ``layOut(_:)``.
    package func refusals(ofRoot root: String, json: String?) -> [TreeError] {
        attempt { () throws(TreeError) in try set(try path(toRoot: root), to: json, root) }
    }

    /// Whether a root has that name; its value may be null.
    package func hasRoot(_ name: String) -> Bool {
        ByteView.with(name) { records.presentProperty(records.root, $0) } != nil
    }

    /// Whether there never was a commit.
    package var isNew: Bool { revision == 0 && records.models[records.root].count == 0 }

    /// The root's value as `get` renders it; nil without such a root, and beyond the limits.
    package func json(ofRoot name: String) -> String? {
        guard let id = ByteView.with(name, { records.presentProperty(records.root, $0) }) else { return nil }
        refresh(id)
        let out = ByteBuffer()
        return render(records.properties[id].value, to: out) ? out.string : nil
    }

    /// Whether the path, in dotted form, leads to an existing property or element. Its value may be null.
    package func hasProperty(_ path: String) -> Bool {
        (try? parsed(path)).flatMap { walk($0).property } != nil
    }

    /// The binding from one path to the other, both in dotted form; nil if they are not bound.
    package func existingBinding(from source: String, to target: String) -> (number: Int32, isTwoWay: Bool)? {
        guard let from = try? parsed(source, orOperator: true), let to = try? parsed(target)
        else { return nil }
        let number = binding(from: from.escaped, to: to.escaped)
        return number.flatMap { dependents.binding($0) }.map { ($0.number, $0.isTwoWay) }
    }

    func path(toRoot root: String) throws(TreeError) -> ParsedKeyPath {
        try parsed(DottedKeyPath.text(of: [root]))
    }

    private func set(_ path: ParsedKeyPath, to json: String?, _ root: String) throws(TreeError) {
        guard let json else {
            let place = walk(path)
            let declared = try writable(path, at: place) ?? .anything
            if case .model = declared.type {
                _ = try set(path, to: JSONView(validated: ByteView("{}")))
                return
            }
            typing.beginTrail(.path(path))
            _ = try put(try emptyValue(of: declared.type), path, at: place)
            return
        }
        try ByteView.with(Array(json.utf8)) { (text) throws(TreeError) in
            let whole: JSONView
            do throws(JSONError) { whole = try JSONScanner.validate(text, maxDepth: limits.maxDepth) } catch {
                throw TreeError(.invalidValue, "the value of \(root) is not JSON: \(error)", at: root)
            }
            _ = try set(path, to: whole)
        }
    }

    /// Makes `path` refer to the model that `target` refers to now; both in dotted form.
    package func link(path: String, target: String, isWeak: Bool) throws(TreeError) {
        let (from, to) = (try parsed(path), try parsed(target))
        try refuseUnknown(from)
        try refuseUnknown(to)
        try commitLayout { () throws(TreeError) in _ = try link(from, to: to, isWeak: isWeak) }
    }

    /// Binds `target` to the value of `source`; both in dotted form.
    /// - Parameter isRestored: the binding comes from stored state, so its first update writes nothing.
    package func bind(source: String, target: String, isTwoWay: Bool, isRestored: Bool = false)
        throws(TreeError)
    {
        let (from, to) = (try parsed(source, orOperator: true), try parsed(target))
        if !isRestored { try refuseBound(from.escaped, to.escaped) }
        // A link may lead elsewhere later, so for a binding only the declarations count.
        _ = try typing.declared(along: from, in: records)
        let root = records.models[records.root].type
        if !isRestored, root != .noRecord {
            try typing.refuseUnknown(inConditionsOf: from, from: .model(root), in: records)
        }
        try commitLayout { () throws(TreeError) in
            _ = try addBinding(from, to: to, isTwoWay: isTwoWay, isRestored: isRestored)
        }
    }

    /// Refuses a further binding of these paths, both in escaped form.
    func refuseBound(_ from: String, _ to: String) throws(TreeError) {
        if from.utf8.elementsEqual(to.utf8) {
            throw TreeError(.invalidValue, "\(from) can't be bound to itself")
        }
        guard let bound = binding(from: from, to: to) else { return }
        throw TreeError(.invalidValue, "binding \(bound) already binds \(from) to \(to)")
    }

    func parsed(_ text: String, orOperator: Bool = false) throws(TreeError) -> ParsedKeyPath {
        let path = ParsedKeyPath(maxDepth: limits.maxDepth)
        do throws(KeyPathError) { try path.parse(dotted: text) } catch {
            let kind: TreeError.Kind = error.exceedsLimit ? .limitExceeded : .invalidValue
            throw TreeError(kind, "\(text): \(error.description)", at: text)
        }
        guard path.isLiteral || (orOperator && path.isOnePath) else {
            let fault =
                path.isOnePath
                ? "has \(path.unwritable), and must be a path of names" : "is a pattern, not one key path"
            throw TreeError(.invalidValue, "\(text) \(fault)", at: text)
        }
        return path
    }
}
