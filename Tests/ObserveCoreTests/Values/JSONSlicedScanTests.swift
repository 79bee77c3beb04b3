// SPDX-License-Identifier: MIT
// Validation in slices, beside the validation of the whole text.

import Testing

@testable import ObserveCore

@Suite struct JSONSlicedScanTests {
    private func validateSliced(_ bytes: [UInt8], slice: Int, maxDepth: Int) -> Result<Found, JSONError> {
        ByteView.with(bytes) { view in
            var scan = JSONSlicedScan(maxDepth: maxDepth)
            while true {
                do throws(JSONError) {
                    guard let token = try scan.advance(view, bytes: slice) else { continue }
                    return .success(
                        Found(text: token.view.array, kind: token.kind, hasEscapes: token.hasEscapes)
                    )
                } catch { return .failure(error) }
            }
        }
    }

    private func expectSame(_ bytes: [UInt8], maxDepth: Int = 512) {
        let whole = validate(bytes, maxDepth: maxDepth)
        for slice in [1, 3, 8, 1000] {
            #expect(
                validateSliced(bytes, slice: slice, maxDepth: maxDepth) == whole,
                "\(String(decoding: bytes, as: UTF8.self)) in slices of \(slice)"
            )
        }
    }

    @Test func `slices of any length accept and refuse the same texts, at the same places`() {
        for (text, _) in validTexts { expectSame(Array(text.utf8)) }
        for (text, _, _) in invalidTexts { expectSame(Array(text.utf8)) }
    }

    @Test(arguments: [1, 63, 64, 65, 66, 130]) func `slices end within containers of any depth`(depth: Int) {
        for open in [#"[1,"#, #"{"a":"#, #"[{"a":"#] {
            let close = String(open.compactMap { $0 == "[" ? "]" : $0 == "{" ? "}" : nil }.reversed())
            let text =
                String(repeating: open, count: depth) + "7" + String(repeating: close + " ", count: depth)
            expectSame(Array("\(text) ".utf8))
            expectSame(Array(text.utf8), maxDepth: depth - 1)
            expectSame(Array(text.dropLast(3).utf8))
            expectSame(Array("\(text)]".utf8))
        }
    }

    @Test func `slices of random texts with a changed byte find the same fault`() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            let value = randomValue(depth: 4, using: &generator)
            var bytes = Array(written { value.write(to: $0) }.utf8)
            expectSame(bytes)
            let index = Int.random(in: bytes.indices, using: &generator)
            bytes[index] = Array("[]{},:\"1 a\\".utf8).randomElement(using: &generator) ?? 0
            expectSame(bytes)
        }
    }
}
