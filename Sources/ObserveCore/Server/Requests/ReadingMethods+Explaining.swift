// SPDX-License-Identifier: MIT
// explain: why a value is what it is. Leaves out what the client may not read, and says that it does, not how much.

extension ReadingMethods {
    /// How many feeds the answer lists in one direction.
    private static let mostFeeds = 100

    func explain(_ params: Request) throws(WireError) {
        try parseLiteral(try params.required(.path), .path, MethodName.explain.rules.access)
        let (path, start) = (parsed.path, answer.count)
        // Each component has its whole path.
        let bytes = (0..<path.count).reduce(0) { $0 + (path.count - $1) * path.name($1).count }
        clients.count(work: bytes / Cost.explainedBytes)
        guard tree.reader.mayRender(bytes)
        else { throw tooLong("the explanation of \(path.escaped)", path.escaped) }
        let isDaemons = isDaemonRoot(path)
        let tree = treeToExamine(path)
        let work = tree.reader.work
        // That of this tree counts in any case.
        defer { if isDaemons { clients.count(work: Int(truncatingIfNeeded: tree.reader.work &- work)) } }
        var hidden = false
        answer.append("{\"path\":", path.escaped)
        answer.append(",\"revision\":", clients.revision)
        answer.append(0x2C)
        try appendValue(of: path, in: tree)
        appendComponents(of: path, in: tree, &hidden)
        let place = tree.walk(path)
        let indices = tree.elementIndices(place)
        let property = place.property
        appendLastChange(isDaemons ? nil : property.map(tree.lastChange(of:)))
        answer.append(",\"observers\":")
        tree.observerCounts(of: path).write(to: answer)
        append(tree.feeds(of: path), ",\"feeds\":", ",\"furtherFeeds\":", &hidden)
        append(tree.feeders(of: path), ",\"fedBy\":", ",\"furtherFedBy\":", &hidden)
        try append(property.map { tree.layers(of: $0, indices) } ?? [], from: start, &hidden)
        appendReasons(for: path, isDaemons: isDaemons)
        answer.append(hidden ? ",\"hidden\":true}" : "}")
        guard tree.reader.mayRender(answer.count - start)
        else { throw tooLong("the explanation of \(path.escaped)", path.escaped) }
    }

    // MARK: The place

    private func appendComponents(of path: ParsedKeyPath, in tree: ModelTree, _ hidden: inout Bool) {
        let components = tree.components(
            of: path,
            where: clients.writer.grant == nil ? nil : { self.mayRead($0) }
        )
        guard let last = components.last else { return }
        answer.append(",\"type\":", last.facts.type)
        answer.append(",\"kind\":", last.facts.value.kindName)
        answer.append(last.facts.isComputed ? ",\"computed\":true" : ",\"computed\":false")
        answer.append(last.facts.isReadOnly ? ",\"readonly\":true" : ",\"readonly\":false")
        let readable = components.filter { mayRead($0.path) }
        answer.append(",\"components\":", arrayOf: readable, append)
        hidden = hidden || readable.count < components.count || readable.contains(where: \.holders.hasHidden)
    }

    private func append(_ component: Explanation.Component) {
        answer.append("{\"path\":", component.path)
        answer.append(",\"kind\":", component.facts.value.kindName)
        answer.append(",\"type\":", component.facts.type)
        if let instance = component.instance { answer.append(",\"instance\":", instance) }
        answer.append(component.facts.isWeak ? ",\"weak\":true" : ",\"weak\":false")
        answer.append(",\"holders\":", arrayOf: component.holders.listed) { holder in
            answer.append("{\"path\":", holder.path)
            answer.append(holder.isWeak ? ",\"weak\":true}" : ",\"weak\":false}")
        }
        answer.append(",\"furtherHolders\":", component.holders.further, "}")
    }

    /// - Parameter path: in escaped form.
    private func mayRead(_ path: String) -> Bool {
        guard clients.writer.grant != nil else { return true }
        let parsed = tree.reader.makeKeyPath()
        guard (try? parsed.parse(dotted: path)) != nil else { return false }
        return allows(.read, at: parsed)
    }

    // MARK: Causes

    private func appendLastChange(_ change: (revision: UInt64, origin: ValueOrigin?)?) {
        answer.append(",\"lastChange\":")
        guard let change else { return answer.append("null") }
        answer.append("{\"revision\":", change.revision)
        if let origin = change.origin {
            if origin.author.time != 0 { answer.appendTime(origin.author.time) }
            answer.append(",\"origin\":", origin)
        }
        answer.append(0x7D)
    }

    private func append(
        _ feeds: [Explanation.Feed],
        _ head: StaticString,
        _ further: StaticString,
        _ hidden: inout Bool
    ) {
        let readable = clients.writer.grant == nil ? feeds : feeds.filter { mayRead($0.path) }
        hidden = hidden || readable.count < feeds.count
        answer.append(head, arrayOf: readable.prefix(Hub.mostFeeds)) { feed in
            switch feed {
            case .binding(let number, let path):
                answer.append("{\"binding\":", number)
                answer.append(",\"path\":", path)
            case .computed(let path): answer.append("{\"computed\":", path)
            }
            answer.append(0x7D)
        }
        if readable.count > Hub.mostFeeds { answer.append(further, readable.count - Hub.mostFeeds) }
    }

    /// Appends the property's values with their lifetimes. A restricted client sees only the one that shows.
    private func append(_ layers: [StackedValue], from start: Int, _ hidden: inout Bool) throws(WireError) {
        let shown = clients.writer.grant == nil ? layers[...] : layers.prefix(1)
        hidden = hidden || shown.count < layers.count
        let now = clients.clock()
        try answer.append(",\"lifetimes\":", arrayOf: shown) { (layer) throws(WireError) in
            answer.append("{\"value\":")
            guard tree.render(layer.value, to: answer), tree.reader.mayRender(answer.count - start)
            else { throw .limitExceeded("a shadowed value exceeds maxRenderedBytes or maxDepth") }
            answer.append(",\"origin\":", layer.origin)
            answer.append(",\"ends\":")
            switch layer.term {
            case nil: answer.append("\"permanent\"")
            case .owner: answer.append("\"connection\"")
            case .time(let end, _):
                answer.append(decimal: (now.nanoseconds(until: end) + 999_999) / 1_000_000)
            }
            answer.append(0x7D)
        }
    }

    // MARK: Reasons

    func appendReasons(for path: ParsedKeyPath, isDaemons: Bool) {
        answer.append(",\"because\":")
        let isAllowed = { (path: ParsedKeyPath) in self.allows(.read, at: path) }
        guard !isDaemons, let reasons = tree.reasons(for: path, readable: readablePaths, where: isAllowed)
        else { return answer.append("null") }
        countReplay(after: reasons.revision)
        answer.append("{\"revision\":", reasons.revision)
        let shown = reasons.steps.enumerated().filter { $0.element.path != nil }
        answer.append(",\"steps\":", arrayOf: shown) { (index, step) in
            answer.append("{\"path\":", step.path ?? "")
            append(step.manner)
            if index + 1 == reasons.steps.count { answer.append(",\"origin\":", reasons.origin) }
            answer.append(0x7D)
        }
        if shown.count < reasons.steps.count {
            answer.append(",\"hidden\":", reasons.steps.count - shown.count)
        }
        answer.append(0x7D)
    }

    func append(_ manner: ChangeManner) {
        switch manner {
        case .assigned: return
        case .binding(let number): answer.append(",\"binding\":", number)
        case .computed: answer.append(",\"computed\":true")
        case .released: answer.append(",\"released\":true")
        }
    }
}
