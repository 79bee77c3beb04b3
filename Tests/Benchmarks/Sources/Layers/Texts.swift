// SPDX-License-Identifier: MIT
// Benchmarks of the layers that parse text: Values, KeyPaths, Wire.

@testable import ObserveCore

func textBenchmarks() -> [LayerBenchmark] {
    let lines = (0..<64).map { Bytes(setLine($0)) }
    // More shapes than the parser remembers, so that it parses each line from its beginning.
    let strangers = (0..<8).map { shape in
        Bytes(
            setLine(shape).replacing(
                "\"jsonrpc\"",
                with: String(repeating: " ", count: shape) + "\"jsonrpc\""
            )
        )
    }
    let object = Bytes(
        #"{"title":"Brazil","position":12.5,"tags":["film",1985,true,null],"by":{"name":"Gilliam"}}"#
    )
    let known = Request(maxDepth: 64)
    let unknown = Request(maxDepth: 64)
    let scratch = ByteBuffer()
    let path = ParsedKeyPath(maxDepth: 64)
    return [
        LayerBenchmark("Wire: read a request like the last") { count in
            for index in 0..<count { sure { try known.parse(lines[index & 63].view) } }
        },
        LayerBenchmark("Wire: read a request of a new shape") { count in
            for index in 0..<count { sure { try unknown.parse(strangers[index & 7].view) } }
        },
        LayerBenchmark("Values: validate an object of 8 values") { count in
            for _ in 0..<count {
                var scanner = JSONScanner(object.view, maxDepth: 64)
                _ = opaque(sure { try scanner.scanValue() })
            }
        },
        LayerBenchmark("Values: write a number") { count in
            for index in 0..<count {
                scratch.removeAll()
                scratch.append(decimal: UInt64(1_000_000 &+ index))
            }
        },
        LayerBenchmark("KeyPaths: take a path of 4 apart") { count in
            for _ in 0..<count { sure { try path.parse(dotted: "app.playbackController.player.videoTitle") } }
        },
    ]
}

/// Bytes with an owner, so that a view of them stays valid.
final class Bytes {
    private let buffer: ByteBuffer

    init(_ text: String) {
        buffer = ByteBuffer(capacity: text.utf8.count)
        buffer.append(utf8: text)
    }

    var view: ByteView { buffer.view }
}

extension String {
    /// The text with each `part` replaced.
    func replacing(_ part: String, with other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return self[..<range.lowerBound] + other + self[range.upperBound...]
    }

    private func firstRange(of part: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
            start = index(after: start)
        }
        return nil
    }
}
