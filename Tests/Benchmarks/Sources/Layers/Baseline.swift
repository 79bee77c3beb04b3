// SPDX-License-Identifier: MIT
// Reads and writes the layers' earlier costs, one line each. Independent of measuring.

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The ratios of an earlier run, by title.
struct Baseline {
    private(set) var ratios: [String: Double] = [:]

    /// An unreadable file counts as empty: then the program compares nothing.
    init(readFrom path: String) {
        guard let file = unsafe fopen(path, "r") else { return }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 512)
        while unsafe fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            let parts = text.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let ratio = Double(parts[0]) else { continue }
            ratios[String(parts[1].dropLast(parts[1].last == "\n" ? 1 : 0))] = ratio
        }
    }

    /// Replaces the file's contents with these results; false if writing fails.
    static func write(_ results: [LayerResult], to path: String) -> Bool {
        guard let file = unsafe fopen(path, "w") else { return false }
        for result in results { unsafe fputs("\(rounded(result.ratio, 3)) \(result.title)\n", file) }
        return unsafe fclose(file) == 0
    }
}
