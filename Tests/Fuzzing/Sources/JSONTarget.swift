// SPDX-License-Identifier: MIT
// All readers of JSON agree about a text, and a written value parses to an equal one.

@testable import ObserveCore

func fuzzJSON(_ input: [UInt8]) {
    // A copy of exactly this size, so that a read beyond it is beyond its memory.
    ByteView.with(input) { text in
        let scanned: JSONView
        do throws(JSONError) { scanned = try JSONScanner.validate(text, maxDepth: 64) } catch {
            return checkRefused(input, text, error)
        }
        require(NaiveJSON.accepts(input), "only the scanner accepts the text")
        checkSimpleScan(text, scanned)
        checkViews(text, scanned)
        checkWriting(input)
        checkTree(input)
    }
}

private func checkRefused(_ input: [UInt8], _ text: ByteView, _ error: JSONError) {
    require(error.offset >= 0 && error.offset <= input.count, "the fault is outside the text: \(error)")
    require(error.reason == .tooDeep || !NaiveJSON.accepts(input), "only the scanner refuses: \(error)")
    do throws(JSONError) {
        _ = try Value(json: input, maxDepth: 64)
        fatalError("the value parser accepts what the scanner refuses: \(error)")
    } catch let other { requireEqual(other, error, "two faults of one text") }
    requireEqual(RepeatedNames.find(in: input, maxDepth: 64), [], "names in a text that is not JSON")
    // A view of a text that is not JSON has any contents, but none outside the text.
    guard !input.allSatisfy({ $0 <= 0x20 }) else { return }
    var steps = 0
    for _ in JSONWalker(JSONView(validated: text)) {
        steps += 1
        if steps > input.count { break }
    }
    for (name, value) in JSONView(validated: text).members {
        _ = (name.decodedString(), value.int64(), value.double())
    }
}

/// The scan for short values finds the same value, or leaves it to the general one.
private func checkSimpleScan(_ text: ByteView, _ token: JSONView) {
    var scanner = JSONScanner(text, maxDepth: 64)
    guard let simple = scanner.scanSimpleValue() else { return }
    requireEqual(simple.kind, token.kind, "two kinds of one value")
    require(simple.view == token.view, "two extents of one value")
    requireEqual(simple.hasEscapes, token.hasEscapes, "two opinions about escapes")
}

private func checkViews(_ text: ByteView, _ token: JSONView) {
    let view = JSONView(validated: text)
    requireEqual(view.kind, token.kind, "the view has another kind")
    require(view.view == token.view, "the view has another extent")
    var depth = 0
    var walker = JSONWalker(token)
    while let event = walker.next() {
        switch event {
        case .beginObject, .beginArray: depth += 1
        case .end: depth -= 1
        case .name(let name): checkString(name)
        case .scalar(let scalar): checkString(scalar)
        }
    }
    requireEqual(depth, 0, "the walk ends inside a container")
    requireEqual(walker.position, token.view.count, "the walk ends early")
    var (elements, members) = (view.elements, view.members)
    require(token.kind != .array || view.isEmpty == (elements.next() == nil), "an empty array")
    require(token.kind != .object || view.isEmpty == (members.next() == nil), "an empty object")
}

/// The canonical form of a string decodes to the same text.
private func checkString(_ string: JSONView) {
    guard string.kind == .string else { return }
    let canonical = ByteBuffer()
    canonical.append(0x22)
    canonical.appendCanonicalContents(of: string)
    canonical.append(0x22)
    let text = string.decodedString()
    let written = ByteBuffer()
    written.appendJSONString(utf8: text)
    require(written.view == canonical.view, "two canonical forms: \(written.string) \(canonical.string)")
    requireEqual(JSONView(validated: written.view).decodedString(), text, "a written string differs")
}

private func checkWriting(_ input: [UInt8]) {
    let value: Value
    do throws(JSONError) { value = try Value(json: input, maxDepth: 64) } catch {
        let isRange = [.integerOutOfRange, .doubleOutOfRange, .doubleTooSmall].contains(error.reason)
        return require(isRange, "only the value parser refuses the text: \(error)")
    }
    let text = value.json
    do throws(JSONError) {
        let back = try Value(json: text)
        require(back == value, "a written value differs: \(text)")
        requireEqual(back.json, text, "a value is written in two ways")
    } catch { fatalError("a written value is not JSON: \(error): \(text)") }
}

/// A tree reads and renders the same value, if it is within the tree's limits.
private func checkTree(_ input: [UInt8]) {
    guard let value = try? Value(json: input, maxDepth: 64) else { return }
    let tree = ModelTree()
    do throws(TreeError) { try tree.define(root: "r", json: String(decoding: input, as: UTF8.self)) } catch {
        return requireEqual(tree.faults(), [], "after a refusal")
    }
    requireEqual(tree.faults(), [], "after the value was defined")
    guard let rendered = tree.json(ofRoot: "r") else { return }
    require((try? Value(json: rendered)) == value, "the tree has \(rendered) for \(value)")
}
