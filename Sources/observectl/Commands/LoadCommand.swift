// SPDX-License-Identifier: MIT
// `observectl load`: a dump, or JSON, from a file into the daemon. Does not know what the lines mean.

import ObserveCore

extension CommandSpec {
    static let load = CommandSpec(
        name: "load",
        operands: "[FILE]",
        operandCount: 0...1,
        summary: "put a dump into the daemon: all of it, or nothing",
        options: [OptionSpec("--json", "PATH", "set PATH to the plain JSON in FILE")],
        details: [
            """
            FILE is what dump printed; without it, or with '-', standard input is read. Each root in the
            dump replaces the root of that name, or what is at the dump's PATH is replaced. What is not in
            the dump stays as it is. Who observes sees all of it happen at once.
            """,
            """
            The models are new ones, in the types that they had. Bindings are made that are not there yet.
            Values that were to end with a connection or at a time are left out: what was below them is
            loaded.
            """,
            """
            Checksums and types are checked first: a file that is damaged or cut off changes nothing.
            """,
            """
            Example:
              observectl dump app.playbackController > controller.jsonl
              observectl load controller.jsonl
            """,
        ],
        run: { (invocation) throws(CommandError) in try Loading(invocation).run() }
    )
}

/// One run of `load`.
private struct Loading {
    /// How much is sent at a time at first. What it comes to as JSON is less than any daemon's limit but one that was
    /// set very low.
    private static let pieceBytes = 64 << 10
    private static let smallestPiece = 64

    private let invocation: Invocation
    /// Where JSON goes.
    private let path: String?
    private let file: String

    init(_ invocation: Invocation) {
        self.invocation = invocation
        path = invocation.arguments.options["--json"]
        file = invocation.operands.first ?? "-"
    }

    func run() throws(CommandError) {
        let bytes = try read()
        if let place = Loading.firstIllFormed(in: bytes) {
            let line = bytes[..<place].count { $0 == 0x0A } + 1
            throw .failed("\(name): line \(line), at byte \(place), is not UTF-8 text")
        }
        let connection = try invocation.connect()
        var size = Loading.pieceBytes
        var rest = bytes[...]
        var part: Int64 = 0
        repeat {
            let piece = Loading.piece(of: rest, size)
            do throws(ClientError) {
                try send(piece, part, isLast: piece.count == rest.count, over: connection)
            } catch {
                guard Loading.isTooLong(error), size > Loading.smallestPiece else { throw told(error) }
                // The line was skipped: nothing has come of it.
                size /= 2
                continue
            }
            rest = rest.dropFirst(piece.count)
            part += 1
            if rest.isEmpty { return }
        } while true
    }

    private var name: String { file == "-" ? "standard input" : file }

    private func read() throws(CommandError) -> [UInt8] {
        if file == "-" { return try invocation.input(limitBytes: .max) }
        do throws(SocketError) { return try Platform.readFile(file, limitBytes: .max) } catch {
            throw .input(error)
        }
    }

    private func send(
        _ piece: ArraySlice<UInt8>,
        _ part: Int64,
        isLast: Bool,
        over connection: ClientConnection
    ) throws(ClientError) {
        var params: RequestParams = ["part": RawJSON(.int(part)), "last": RawJSON(.bool(isLast))]
        if part == 0, let path { params.append("path", RawJSON(.string(path))) }
        params.append("text", RawJSON(.string(String(decoding: piece, as: UTF8.self))))
        _ = try connection.call("load", params, until: invocation.deadline)
    }

    /// The daemon's no, with the file that it is about.
    private func told(_ error: ClientError) -> CommandError {
        guard case .refused(let refusal) = error else { return .client(error) }
        let message = "\(name): \(refusal.message)"
        return .client(.refused(DaemonError(code: refusal.code, message: message, data: refusal.data)))
    }

    private static func isTooLong(_ error: ClientError) -> Bool {
        if case .refused(let refusal) = error { refusal.code == .invalidRequest } else { false }
    }

    /// The first bytes, as many as that, or a few less so that no character is cut in two.
    private static func piece(of bytes: ArraySlice<UInt8>, _ size: Int) -> ArraySlice<UInt8> {
        guard bytes.count > size else { return bytes }
        var end = bytes.startIndex + size
        while bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return bytes[..<end]
    }

    private static func firstIllFormed(in bytes: [UInt8]) -> Int? {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var place = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): place += scalar.count
            case .emptyInput: return nil
            case .error: return place
            }
        }
    }
}
