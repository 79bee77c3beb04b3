// SPDX-License-Identifier: MIT
// One JSON-RPC request out of a line. Knows nothing of methods, sockets or the tree.

/// A request, parsed into storage that is used again for the next: slices of the line, which must outlive their use.
///
/// - Errors: ``parse(_:)`` throws a parse error (-32700) for what is no JSON, and an invalid request (-32600) for what
///   is no request object; ``id`` is then what could be recovered of it, so that the peer can be answered.
/// - Threading: none of its own; its owner is its only user.
/// - Cost: one pass over the line, no allocation.
@safe
final class Request {
    enum Params {
        case none
        case object
        case array
        /// A value that JSON-RPC does not allow as params.
        case unstructured
    }

    /// What is wrong with the last member of each name; those before it do not count.
    private struct Faults: OptionSet {
        let rawValue: UInt8
        static let version = Faults(rawValue: 1)
        static let id = Faults(rawValue: 2)
        static let method = Faults(rawValue: 4)
    }

    /// A value that a line of the same shape may have another of.
    struct Hole {
        let value: ByteView
        /// Nil for the id's value.
        let param: ParamName?
    }

    private let maxDepth: Int
    /// The id as it came, to be echoed; nil in a notification.
    private(set) var id: ByteView?
    private(set) var method = ByteView("")
    private(set) var params = Params.none
    /// Which known params there are.
    private(set) var given = ParamNames()
    /// The value of each known param; meaningless for those that are not given.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe private var values = Scratch<JSONToken>(capacity: ParamName.allCases.count)
    /// The name of the first param that no method has.
    private(set) var unknownParam: JSONToken?
    private var hasMethod = false
    private var faults: Faults = []
    private let decodedMethod = ByteBuffer(capacity: 32)
    /// The shapes of lines that came before, and the one that was met last.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe private var shapes = Scratch<RequestShape>(capacity: Request.maxShapes)
    private var lastShape = 0
    /// The same shape once more: comparing with it counts no reference.
    private var unretainedShape: Unmanaged<RequestShape>?
    /// What the line under way would be learned by.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe private var holes = Scratch<Hole>()
    /// Members were repeated, or decoded: the line is no example to learn from.
    private var isUnusual = false
    private static let maxShapes = 4

    /// - Parameter maxDepth: how deep a parameter's value may nest.
    init(maxDepth: Int) {
        self.maxDepth = maxDepth
        for _ in ParamName.allCases { values.append(JSONToken(view: ByteView(""), kind: .null)) }
    }

    /// The value of that param; of several with one name the last, as everywhere in JSON here.
    @inline(__always)
    func value(_ name: ParamName) -> JSONView? {
        guard given.contains(name) else { return nil }
        return JSONView(values[Int(name.rawValue)])
    }

    func parse(_ line: ByteView) throws(WireError) {
        if recognize(line) { return }
        try parseAnew(line)
        learn(line)
    }

    /// Takes the line that `input` begins with, if it is there to its line feed and has the shape of one that was parsed
    /// before: then no line feed has to be searched for.
    ///
    /// - Returns: how long the line is, without the line feed; nil, with nothing kept, for any other.
    @inline(__always)
    func recognize(firstOf input: ByteView) -> Int? {
        unsafe unretainedShape?._withUnsafeGuaranteedRef { recognize(input, .input, as: $0) }
    }

    /// Takes the line for another of a shape that is known; false, with nothing kept, if it has none.
    private func recognize(_ line: ByteView) -> Bool {
        for step in 0..<shapes.count {
            let index = (lastShape &+ step) & (Request.maxShapes &- 1)
            guard index < shapes.count else { continue }
            if recognize(line, .line, as: shapes[index]) != nil {
                expect(index)
                return true
            }
        }
        return false
    }

    @inline(__always)
    private func recognize(_ text: ByteView, _ extent: RequestShape.Extent, as shape: RequestShape) -> Int? {
        id = nil
        let length = shape.match(text, extent, maxDepth: maxDepth) { hole, value in
            switch hole {
            case .id:
                if value.kind.isContainer || value.kind == .true || value.kind == .false { return false }
                id = value.view
            case .param(let param): values[Int(param.rawValue)] = value
            case .end: break
            }
            return true
        }
        guard let length else { return nil }
        faults = []
        unknownParam = nil
        params = .object
        given = shape.given
        hasMethod = true
        method = shape.method
        return length
    }

    /// Remembers the shape of the line that was parsed, in the place of the one that is the longest there.
    private func learn(_ line: ByteView) {
        guard !isUnusual, unknownParam == nil, case .object = params,
            let shape = RequestShape(of: line, method: method, values: holes)
        else { return }
        let hasRoom = shapes.count < Request.maxShapes
        let index = hasRoom ? shapes.count : (lastShape &+ 1) & (Request.maxShapes &- 1)
        if index == shapes.count { shapes.append(shape) } else { shapes[index] = shape }
        expect(index)
    }

    /// The next line is compared with that shape first.
    private func expect(_ index: Int) {
        lastShape = index
        unsafe unretainedShape = .passUnretained(shapes[index])
    }

    private func parseAnew(_ line: ByteView) throws(WireError) {
        clear()
        var isObject = false
        do throws(JSONError) {
            var scanner = JSONScanner(line, maxDepth: maxDepth)
            isObject = scanner.consume(0x7B)
            if isObject { try parseMembers(&scanner) } else { _ = try scanner.scanValue() }
            try scanner.expectEnd()
        } catch {
            clear()
            throw WireError(.parseError, "the line is not JSON: \(error.description)")
        }
        guard isObject else { throw .invalidRequest("a request is a JSON object") }
        if !faults.isEmpty { throw fault }
        guard hasMethod else { throw .invalidRequest("a request names its method") }
    }

    /// Whether the line has a method's name and no id at all: then it is not answered, faults or no.
    var isNotification: Bool { hasMethod && id == nil && !faults.contains(.id) }

    private var fault: WireError {
        if faults.contains(.id) { return .invalidRequest("an id is a string, a number or null") }
        if faults.contains(.method) { return .invalidRequest("a method is a string") }
        return .invalidRequest("the jsonrpc member, where it is given, is the string 2.0")
    }

    private func clear() {
        id = nil
        hasMethod = false
        params = .none
        faults = []
        holes.removeAll()
        isUnusual = false
        clearParams()
    }

    @inline(__always)
    private func clearParams() {
        given = ParamNames()
        unknownParam = nil
    }

    @inline(__always)
    private func addParam(_ name: JSONToken, _ value: JSONToken) {
        guard let known = ParamName(name) else {
            if unknownParam == nil { unknownParam = name }
            return
        }
        if given.contains(known) { isUnusual = true }
        holes.append(Hole(value: value.view, param: known))
        set(known, value)
    }

    @inline(__always)
    private func set(_ param: ParamName, _ value: JSONToken) {
        given.insert(param)
        values[Int(param.rawValue)] = value
    }

    /// The members of the request; its opening brace is behind the scanner.
    private func parseMembers(_ scanner: inout JSONScanner) throws(JSONError) {
        if scanner.consume(0x7D) { return }
        repeat {
            let name = try scanner.scanString()
            try scanner.expect(0x3A)
            if name.names("params") {
                try parseParams(&scanner)
            } else {
                take(try scanner.scanValue(), as: name)
            }
        } while scanner.consume(0x2C)
        try scanner.expect(0x7D)
    }

    private func parseParams(_ scanner: inout JSONScanner) throws(JSONError) {
        if params != .none { isUnusual = true }
        clearParams()
        guard scanner.consume(0x7B) else {
            params = try scanner.scanValue().kind == .array ? .array : .unstructured
            return
        }
        params = .object
        if scanner.consume(0x7D) { return }
        repeat {
            let name = try scanner.scanString()
            try scanner.expect(0x3A)
            addParam(name, try scanner.scanValue())
        } while scanner.consume(0x2C)
        try scanner.expect(0x7D)
    }

    /// Notes a member of the request; unknown ones are ignored, as JSON-RPC leaves room for them.
    private func take(_ value: JSONToken, as name: JSONToken) {
        if name.names("id") {
            if id != nil { isUnusual = true }
            holes.append(Hole(value: value.view, param: nil))
            takeID(value)
        } else if name.names("method") {
            takeMethod(value)
        } else if name.names("jsonrpc") {
            note(.version, !value.names("2.0"))
        }
    }

    private func note(_ fault: Faults, _ isThere: Bool) {
        if isThere { faults.insert(fault) } else { faults.remove(fault) }
    }

    private func takeID(_ value: JSONToken) {
        switch value.kind {
        case .string, .integer, .double, .null: id = value.view
        default: id = nil
        }
        note(.id, id == nil)
    }

    /// Takes an operation of a transaction, which is validated JSON: a method and its params, and nothing else.
    func read(operation: JSONView) throws(WireError) {
        clear()
        guard operation.kind == .object else {
            throw .invalidParams("an operation is an object with a method and params")
        }
        try operation.forEachMember { (name, value) throws(WireError) in
            let name = JSONToken(name)
            if name.names("method") {
                takeMethod(JSONToken(value))
            } else if name.names("params") {
                readParams(value)
            } else {
                let name = JSONView(name).decodedString()
                throw .invalidParams("an operation has a method and params, and no member \(name)")
            }
        }
        guard hasMethod else { throw .invalidParams("an operation names its method, a string") }
        guard params == .none || params == .object else {
            throw .invalidParams("an operation's params are given by name, in an object")
        }
    }

    private func readParams(_ value: JSONView) {
        clearParams()
        params = value.kind == .object ? .object : .unstructured
        value.forEachMember { addParam(JSONToken($0), JSONToken($1)) }
    }

    private func takeMethod(_ value: JSONToken) {
        hasMethod = value.kind == .string
        note(.method, !hasMethod)
        guard hasMethod else { return }
        let string = JSONView(value)
        guard string.hasEscapes else {
            method = string.contents
            return
        }
        isUnusual = true
        decodedMethod.removeAll()
        string.appendDecoded(to: decodedMethod)
        method = decodedMethod.view
    }
}

extension JSONToken {
    /// Whether this is a string with that text.
    @inline(__always)
    func names(_ text: StaticString) -> Bool {
        guard kind == .string else { return false }
        if hasEscapes { return JSONView(self).decodedString() == "\(text)" }
        return view.slice(1..<view.count - 1) == text
    }
}
