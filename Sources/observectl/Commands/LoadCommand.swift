// SPDX-License-Identifier: MIT
// `observectl load`: loads a dump, or JSON, from a file. Independent of the lines' meaning.

import ObserveCore

extension CommandSpec {
    static let load = CommandSpec(
        usage: "load [FILE]",
        summary: "load a dump into the daemon: all of it, or nothing",
        options: [OptionSpec("--json PATH", "set PATH to the ordinary JSON in FILE")],
        details: """
            FILE is the output of dump; without it, or with '-', standard input is read. Each root in the
            dump replaces the root of that name, or the dump replaces the value at its PATH. Values that are
            not in the dump stay as they are. Observers see all changes at once.

            Example:
              observectl dump app.playbackController > controller.jsonl
              observectl load controller.jsonl
            """,
        manual: """
            The models are new ones, of the types that they had, which must be declared. Missing bindings are
            made. Temporary values are left out: the values that they shadowed are loaded.

            Checksums and types are checked first: a damaged or incomplete file changes nothing. A file or a
            pipe longer than the daemon's limit maxTreeBytes or maxBufferedBytes is refused.
            """
    ) { (invocation) throws(CommandError) in try invocation.load() }
}

private extension Invocation {
    /// The first size of a part. As JSON it is shorter than a daemon's limit, unless that was set very low.
    static let firstPieceBytes = 64 << 10
    static let smallestPiece = 64

    /// The path to set to the JSON in the file; nil for a dump.
    var path: String? { arguments.options["--json"] }
    var file: String { operands.first ?? "-" }

    func load() throws(CommandError) {
        if file.isEmpty { throw arguments.usage("FILE is empty; '-' is standard input") }
        let bytes = try read(atMost: limit())
        if let place = Invocation.firstIllFormed(in: bytes) {
            let line = bytes[..<place].count { $0 == 0x0A } + 1
            throw .failed("\(name): line \(line), at byte \(place), is not UTF-8 text")
        }
        if path != nil { try checkJSON(bytes) }
        var connection = try connect()
        var size = Invocation.firstPieceBytes
        var rest = bytes[...]
        var part: Int64 = 0
        var progress = ProgressLine("loaded", of: self)
        defer { progress.clear() }
        repeat {
            progress.show(bytes.count - rest.count, of: bytes.count)
            let piece = Invocation.piece(of: rest, size)
            let params: RequestParams = [
                "part": RawJSON(.int(part)), "last": RawJSON(.bool(piece.count == rest.count)),
                "path": part == 0 ? path.map { RawJSON(.string($0)) } : nil,
                "text": RawJSON(.string(String(decoding: piece, as: UTF8.self))),
            ]
            do throws(ClientError) { _ = try connection.call("load", params, until: deadline) } catch {
                if part == 0, CommandError.client(error).isUpgrade {
                    connection = try connect()
                    continue
                }
                if error == .goodbye(reason: "overflow") {
                    let lack = "the load takes more memory than the daemon's limit maxBufferedBytes allows"
                    throw .failed("\(name): \(lack)")
                }
                guard case .refused(let refusal) = error else { throw .client(error) }
                guard refusal.code == .invalidRequest, size > Invocation.smallestPiece
                else { throw .refused(refusal, saying: "\(name): \(refusal.message)") }
                // The daemon skipped the line, and changed nothing.
                size /= 2
                continue
            }
            rest = rest.dropFirst(piece.count)
            part += 1
            if rest.isEmpty { return }
        } while true
    }

    func checkJSON(_ bytes: [UInt8]) throws(CommandError) {
        _ = try attempt(RawJSON(validating: bytes, maxDepth: .max)) { (error: JSONError) in
            let line = bytes.prefix(error.offset).count { $0 == 0x0A } + 1
            let fault = JSONFault.phrase(error, in: bytes)
            return CommandError.failed("\(name): line \(line) is not JSON: \(fault)")
        }
    }

    var name: String { file == "-" ? "standard input" : file }

    /// The lower of the two limits that the daemon's memory has for a load, which it keeps up to the last part. Nil if it does
    /// not say.
    func limit() throws(CommandError) -> (name: String, bytes: Int)? {
        let limits: RawJSON?
        do throws(CommandError) { limits = try request("status").member("limits") } catch .client(.refused) {
            return nil
        }
        let found = ["maxTreeBytes", "maxBufferedBytes"].compactMap { name in
            limits?.member(name)?.int("max").map {
                (name: name, bytes: max(Int($0), Invocation.firstPieceBytes))
            }
        }
        return found.min { $0.bytes < $1.bytes }
    }

    func read(atMost limit: (name: String, bytes: Int)?) throws(CommandError) -> [UInt8] {
        let name = path.map { "the JSON for \($0)" } ?? "a dump"
        let bytes = limit?.bytes ?? .max
        do throws(CommandError) {
            return try file == "-" ? input(name, limitBytes: bytes) : contents(of: file, limitBytes: bytes)
        } catch {
            guard case .input(let fault) = error else { throw error }
            if case .fileMissing = fault, file.isValue {
                throw arguments.usage("\(fault); 'observectl set PATH JSON' takes JSON from the command line")
            }
            guard case .fileTooLarge = fault, let limit else { throw error }
            throw .failed("\(fault) (\(limit.name)); the daemon's configuration sets it")
        }
    }

    /// The first `size` bytes, or a few less so that no character is split.
    static func piece(of bytes: ArraySlice<UInt8>, _ size: Int) -> ArraySlice<UInt8> {
        guard bytes.count > size else { return bytes }
        var end = bytes.startIndex + size
        while bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return bytes[..<end]
    }

    static func firstIllFormed(in bytes: [UInt8]) -> Int? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
            return nil
        } catch { return error.byteOffsets.lowerBound }
    }
}
