// SPDX-License-Identifier: MIT
// Parses one JSON-RPC request. Independent of methods, sockets and the tree.

/// One request, parsed into storage that the next request reuses. It holds slices of the line, which must outlive their use.
/// - Errors: ``parse(_:)`` throws a parse error (-32700) if the line is not JSON, an invalid request (-32600) if it is not a
///   request object, and exceeded limit (6) if it nests too deep. ``id`` then has the line's id if the parser found one.
/// - Cost: one pass over the line, no allocation.
@safe final class Request {
    enum Params {
        case none
        case object
        case array
        /// A value that JSON-RPC does not allow as params.
        case unstructured
    }

    /// The faulty members. Of repeated members, only the last one counts.
    private struct Faults: OptionSet {
        let rawValue: UInt8
        static let version = Faults(rawValue: 1)
        static let id = Faults(rawValue: 2)
        static let method = Faults(rawValue: 4)
    }

    private struct LineValues: ~Copyable {
        /// The value of each param in ``given``; undefined for others.
        var params = Scratch<JSONView>(capacity: ParamName.allCases.count)
        /// All of them, in the line's order, for a new shape.
        var holes = Scratch<RequestShape.Value>()
    }

    /// How many levels more than a value a line may have. A value in an operation nests four levels deeper than one in a
    /// request's params.
    static let levelsAround = 8

    private let maxDepth: Int
    /// The id in its written form, which the answer repeats; nil in a notification.
    private(set) var id: ByteView?
    /// An id whose written form has line separators: they are escaped here.
    private let escapedID = ByteBuffer(capacity: 16)
    private(set) var method = ByteView("")
    private(set) var params = Params.none
    private(set) var given = ParamNames()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe private var values = LineValues()
    private(set) var unknownParam: JSONView?
    private var unknownMember: JSONView?
    private var hasMethod = false
    private var faults: Faults = []
    private let decodedMethod = ByteBuffer(capacity: 32)
    /// The shapes of earlier lines, and the index of the last match.
    private var shapes = Scratch<RequestShape>(capacity: Request.maxShapes)
    private var lastShape = 0
    /// The shape at `lastShape`, unretained: a comparison with it skips reference counting.
    private var unretainedShape: Unmanaged<RequestShape>?
    /// Whether the line has repeated members, or escapes in its id or method: it then defines no shape.
    private var isUnusual = false
    private static let maxShapes = 4

    /// - Parameter valueDepth: The maximum nesting of a value. The parts around it have ``levelsAround``.
    convenience init(valueDepth: Int) { self.init(maxDepth: valueDepth + Request.levelsAround) }

    /// - Parameter maxDepth: The maximum nesting of a param's value.
    init(maxDepth: Int) {
        self.maxDepth = maxDepth
        for _ in ParamName.allCases { values.params.append(JSONView(view: ByteView(""), kind: .null)) }
    }

    /// If the name occurs more than once, the last value counts.
    @inline(__always) func value(_ name: ParamName) -> JSONView? {
        guard given.contains(name) else { return nil }
        return values.params[Int(name.rawValue)]
    }

    func parse(_ line: ByteView) throws(WireError) {
        if recognize(line) { return }
        try parseAnew(line)
        learn(line)
    }

    /// Parses the first line of `input` if it is complete and has the last line's shape. This saves the search for the line feed.
    /// Returns the line's length without its line feed; nil if it has another shape.
    @inline(__always) func recognize(firstOf input: ByteView) -> Int? {
        unsafe unretainedShape?._withUnsafeGuaranteedRef { recognize(input, .input, as: $0) }
    }

    /// Parses a line; false if it has no known shape.
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
                // It may have line separators, which the general path escapes.
                if value.hasEscapes { return false }
                id = value.view
            case .param(let param): values.params[Int(param.rawValue)] = value
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

    /// Stores the shape of the parsed line. If all places are taken, it replaces the shape after the last match.
    private func learn(_ line: ByteView) {
        guard !isUnusual, unknownParam == nil, case .object = params,
            let shape = RequestShape(of: line, method: method, values: values.holes)
        else { return }
        let hasRoom = shapes.count < Request.maxShapes
        let index = hasRoom ? shapes.count : (lastShape &+ 1) & (Request.maxShapes &- 1)
        if index == shapes.count { shapes.append(shape) } else { shapes[index] = shape }
        expect(index)
    }

    private func expect(_ index: Int) {
        lastShape = index
        unsafe unretainedShape = .passUnretained(shapes[index])
    }

    private func parseAnew(_ line: ByteView) throws(WireError) {
        var isObject = false
        var isTooDeep = false
        do throws(JSONError) {
            do throws(JSONError) { isObject = try parse(line, maxDepth: maxDepth) } catch
                where error.reason == .tooDeep
            {
                // The answer needs the line's id, and the rest of the line may not be JSON.
                isTooDeep = true
                isObject = try parse(line, maxDepth: .max)
            }
        } catch {
            clear()
            throw WireError(.parseError, "the line is not JSON: \(error.description)")
        }
        guard isObject else { throw .invalidRequest("a request is a JSON object") }
        if !faults.isEmpty { throw fault }
        guard hasMethod else { throw .invalidRequest("a request names its method") }
        if isTooDeep { throw .tooDeep(maxDepth - Request.levelsAround) }
        if let unknownMember {
            let name = unknownMember.decodedString()
            throw .invalidRequest("a request has jsonrpc, id, method and params, and no member \(name)")
        }
    }

    private func parse(_ line: ByteView, maxDepth: Int) throws(JSONError) -> Bool {
        clear()
        var scanner = JSONScanner(line, maxDepth: maxDepth)
        let isObject = scanner.consume(0x7B)
        if isObject { try parseMembers(&scanner) } else { _ = try scanner.scanValue() }
        try scanner.expectEnd()
        return isObject
    }

    /// Whether the line has a method and no id member: it then gets no answer, even if it is faulty.
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
        unknownMember = nil
        values.holes.removeAll()
        isUnusual = false
        clearParams()
    }

    @inline(__always) private func clearParams() {
        given = ParamNames()
        unknownParam = nil
    }

    @inline(__always) private func addParam(_ name: JSONView, _ value: JSONView) {
        guard let known = ParamName(name) else {
            if unknownParam == nil { unknownParam = name }
            return
        }
        if given.contains(known) { isUnusual = true }
        values.holes.append(RequestShape.Value(view: value.view, hole: .param(known)))
        set(known, value)
    }

    @inline(__always) private func set(_ param: ParamName, _ value: JSONView) {
        given.insert(param)
        values.params[Int(param.rawValue)] = value
    }

    /// Parses the members of the request, after its opening brace.
    private func parseMembers(_ scanner: inout JSONScanner) throws(JSONError) {
        if scanner.consume(0x7D) { return }
        repeat {
            let name = try scanner.scanString()
            try scanner.expect(0x3A)
            if name.names("params") {
                try parseParams(&scanner)
            } else {
                parseMember(name, try scanner.scanValue())
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

    /// Parses a member of the request, and notes one that no request has: it may be a misplaced param.
    private func parseMember(_ name: JSONView, _ value: JSONView) {
        if name.names("id") {
            if id != nil || faults.contains(.id) { isUnusual = true }
            values.holes.append(RequestShape.Value(view: value.view, hole: .id))
            parseID(value)
        } else if name.names("method") {
            parseMethod(value)
        } else if name.names("jsonrpc") {
            set(.version, !value.names("2.0"))
        } else {
            unknownMember = unknownMember ?? name
        }
    }

    private func set(_ fault: Faults, _ isPresent: Bool) {
        if isPresent { faults.insert(fault) } else { faults.remove(fault) }
    }

    private func parseID(_ value: JSONView) {
        switch value.kind {
        case .string where value.hasEscapes:
            isUnusual = true
            escapedID.removeAll()
            escapedID.appendEscapingSeparators(value.view)
            id = escapedID.view
        case .string, .integer, .double, .null: id = value.view
        default: id = nil
        }
        set(.id, id == nil)
    }

    /// Parses an operation of a transaction, which is validated JSON: an object with a method and params.
    func parse(operation: JSONView) throws(WireError) {
        clear()
        guard operation.kind == .object
        else { throw .invalidParams("an operation is an object with a method and params") }
        for (name, value) in operation.members {
            if name.names("method") {
                parseMethod(value)
            } else if name.names("params") {
                parseParams(value)
            } else {
                let name = name.decodedString()
                throw .invalidParams("an operation has a method and params, and no member \(name)")
            }
        }
        guard hasMethod else { throw .invalidParams("an operation names its method, a string") }
        guard params == .none || params == .object
        else { throw .invalidParams("an operation's params are given by name, in an object") }
    }

    private func parseParams(_ value: JSONView) {
        clearParams()
        params = value.kind == .object ? .object : .unstructured
        for (name, value) in value.members { addParam(name, value) }
    }

    private func parseMethod(_ value: JSONView) {
        hasMethod = value.kind == .string
        set(.method, !hasMethod)
        guard hasMethod else { return }
        if value.hasEscapes { isUnusual = true }
        method = value.decoded(in: decodedMethod)
    }
}

extension JSONView {
    @inline(__always) func names(_ text: StaticString) -> Bool {
        kind == .string && (hasEscapes ? decodedString() == "\(text)" : contents == text)
    }
}
