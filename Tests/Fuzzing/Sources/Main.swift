// SPDX-License-Identifier: MIT
// Runs the target that the command line names with each input of libFuzzer. Independent of the targets.

/// The targets, by the names of their corpora.
enum Target: String, CaseIterable {
    case json
    case keypaths
    case templates
    case lines
    case requests
    case configuration
    case journal
    case snapshot
    case dump

    /// The target of `--target=NAME`. libFuzzer ignores options that begin with two dashes.
    static let chosen: Target = {
        let option = "--target="
        for word in CommandLine.arguments where word.hasPrefix(option) {
            if let target = Target(rawValue: String(word.dropFirst(option.count))) { return target }
        }
        fatalError("expected --target=NAME, one of \(allCases.map(\.rawValue).joined(separator: ", "))")
    }()

    /// Whether to print a seed of the target, made of an input of `requests`, instead of running the target.
    static let isSeeding = CommandLine.arguments.contains("--seed")

    func run(_ input: [UInt8]) {
        if Target.isSeeding { return printSeed(input, of: self) }
        switch self {
        case .json: fuzzJSON(input)
        case .keypaths: fuzzKeyPaths(input)
        case .templates: fuzzTemplates(input)
        case .lines: fuzzLines(input)
        case .requests: fuzzRequests(input)
        case .configuration: fuzzConfiguration(input)
        case .journal: fuzzState(input, firstFile: "journal-1")
        case .snapshot: fuzzState(input, firstFile: "snapshot")
        case .dump: fuzzDump(input)
        }
    }
}

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    unsafe Target.chosen.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// Ends the process with a message unless the condition holds: a finding.
func require(_ isTrue: Bool, _ message: @autoclosure () -> String) {
    if !isTrue { fatalError(message()) }
}

/// Ends the process with both values unless they are equal: a finding.
func requireEqual<V: Equatable>(_ left: V, _ right: V, _ message: @autoclosure () -> String) {
    if left != right { fatalError("\(message())\n  \(left)\n  \(right)") }
}
