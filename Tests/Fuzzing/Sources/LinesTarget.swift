// SPDX-License-Identifier: MIT
// A line that is recognised by an earlier one is parsed like any other, and lines are the same in any pieces.

@testable import ObserveCore

func fuzzLines(_ input: [UInt8]) {
    var whole: [[UInt8]] = []
    // The lines as bytes between line feeds; the last one counts without its line feed.
    var naive = input.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    if naive.last == [] { naive.removeLast() }
    read(input, pieceCount: max(input.count, 1)) { whole.append($0) }
    requireEqual(whole, naive, "other lines")
    for pieceCount in [1, 7] {
        var pieces: [[UInt8]] = []
        read(input, pieceCount: pieceCount) { pieces.append($0) }
        requireEqual(pieces, naive, "other lines in pieces of \(pieceCount)")
    }
    let learning = Request(maxDepth: 16)
    for line in naive {
        requireEqual(parsed(line, by: learning), parsed(line, by: Request(maxDepth: 16)), "two readings")
    }
    checkMeasured(input, naive)
}

private func read(_ input: [UInt8], pieceCount: Int, _ body: ([UInt8]) -> Void) {
    var reader = LineReader(limitBytes: 1 << 20)
    func receive(_ step: LineReader.Step) -> Bool {
        guard case .line(let line) = step else { fatalError("no line is too long") }
        body(line.array)
        return true
    }
    var start = 0
    while start < input.count {
        let end = min(start + pieceCount, input.count)
        // The array ends before the next piece is read, so that the reader can't refer to it.
        _ = ByteView.with(Array(input[start..<end])) { reader.read($0, receive) }
        start = end
    }
    reader.endLine()
    _ = reader.read(ByteView(""), receive)
}

/// A request as values, for comparison.
private struct ParsedLine: Equatable {
    var error: WireError?
    var id: [UInt8]?
    var method: [UInt8] = []
    var params = Request.Params.none
    var values: [String: [UInt8]] = [:]
    var unknown: [UInt8]?
    var isNotification = false
}

private func parsed(_ line: [UInt8], by request: Request) -> ParsedLine {
    ByteView.with(line) { line in
        do throws(WireError) { try request.parse(line) } catch {
            return ParsedLine(
                error: error,
                id: request.id?.array,
                isNotification: request.isNotification
            )
        }
        return contents(of: request)
    }
}

private func contents(of request: Request) -> ParsedLine {
    var parsed = ParsedLine(
        id: request.id?.array,
        method: request.method.array,
        params: request.params,
        unknown: request.unknownParam?.view.array,
        isNotification: request.isNotification
    )
    for name in ParamName.allCases {
        guard let value = request.value(name) else { continue }
        parsed.values["\(name.text)"] = value.view.array + (value.hasEscapes ? [1] : [0])
    }
    return parsed
}

/// Reads the lines as the hub does: a line of the last shape is recognised before its end is found.
private func checkMeasured(_ input: [UInt8], _ naive: [[UInt8]]) {
    let request = Request(maxDepth: 16)
    var reader = LineReader(limitBytes: 1 << 20)
    var isParsed = false
    var index = 0
    _ = ByteView.with(input) { input in
        reader.read(
            input,
            measure: { rest in
                let length = request.recognize(firstOf: rest)
                isParsed = length != nil
                return length
            }
        ) { step in
            guard case .line(let line) = step else { fatalError("no line is too long") }
            requireEqual(line.array, naive[index], "another line at \(index)")
            let expected = parsed(line.array, by: Request(maxDepth: 16))
            if isParsed {
                requireEqual(contents(of: request), expected, "a line was recognised as another")
            } else {
                requireEqual(parsed(line.array, by: request), expected, "two readings")
            }
            index += 1
            return true
        }
    }
}
