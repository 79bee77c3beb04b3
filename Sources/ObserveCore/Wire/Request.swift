// SPDX-License-Identifier: MIT
// One JSON-RPC request out of a line. Knows nothing of methods, sockets or the tree.

/// A request, parsed into storage that is used again for the next: slices of the line, which must outlive their use.
///
/// - Errors: ``parse(_:)`` throws a parse error (-32700) for what is no JSON, and an invalid request (-32600) for what
///   is no request object; ``id`` is then what could be recovered of it, so that the peer can be answered.
/// - Threading: none of its own; its owner is its only user.
/// - Cost: one pass over the line, no allocation.
final class Request {
    struct Member {
        let name: JSONToken
        let value: JSONToken
    }

    enum Params {
        case none
        case object
        case array
    }

    private let maxDepth: Int
    /// The id as it came, to be echoed; nil in a notification.
    @safe @exclusivity(unchecked) private(set) var id: ByteView?
    @safe @exclusivity(unchecked) private(set) var method = ByteView("")
    @safe @exclusivity(unchecked) private(set) var params = Params.none
    @safe @exclusivity(unchecked) private(set) var members: [Member] = []
    /// Whether ``parse(_:)`` got as far as a method's name: then a missing id makes it a notification, faults or no.
    @safe @exclusivity(unchecked) private(set) var hasMethod = false
    @safe @exclusivity(unchecked) private var fault: WireError?
    private let decodedMethod = ByteBuffer(capacity: 32)

    /// - Parameter maxDepth: how deep a parameter's value may nest.
    init(maxDepth: Int) {
        self.maxDepth = maxDepth
        members.reserveCapacity(16)
    }

    func parse(_ line: ByteView) throws(WireError) {
        id = nil
        hasMethod = false
        params = .none
        fault = nil
        members.removeAll(keepingCapacity: true)
        var scanner = JSONScanner(line, maxDepth: maxDepth)
        do throws(JSONError) {
            scanner.skipWhitespace()
            guard scanner.peek() == 0x7B else {
                _ = try JSONScanner.validate(line, maxDepth: maxDepth)
                throw WireError.invalidRequest("a request is a JSON object")
            }
            try parseObject(&scanner)
            scanner.skipWhitespace()
            guard scanner.atEnd else { throw scanner.trailingGarbage }
        } catch let error as JSONError {
            id = nil
            hasMethod = false
            throw WireError(.parseError, "\(error.description)")
        }
        if let fault { throw fault }
        guard hasMethod else { throw .invalidRequest("a request has a method") }
    }
}
