// SPDX-License-Identifier: MIT
// Storage for parsed requests. Independent of methods.

/// The request under way and its paths, in storage that each request reuses.
struct ParsedRequest: ~Copyable {
    let request: Request
    /// The operation of a transaction that is under way.
    let operation: Request
    let path: ParsedKeyPath
    /// What a request without the param `target` finds here is another request's: see ``Hub/parseTarget(_:_:)``.
    let target: ParsedKeyPath

    init(maxDepth: Int) {
        request = Request(valueDepth: maxDepth)
        operation = Request(valueDepth: maxDepth)
        path = ParsedKeyPath(maxDepth: maxDepth)
        target = ParsedKeyPath(maxDepth: maxDepth)
    }
}
