// SPDX-License-Identifier: MIT
// What the rooms' work cost when somebody last looked, in a file of lines. Knows nothing of measuring.

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The ratios of an earlier run, by title.
struct Baseline {
    private(set) var ratios: [String: Double] = [:]

    /// An unreadable file is an empty one: then nothing is compared.
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

    /// Puts these results into the place of what the file held; false if it can't be written.
    static func write(_ results: [RoomResult], to path: String) -> Bool {
        guard let file = unsafe fopen(path, "w") else { return false }
        for result in results { unsafe fputs("\(rounded(result.ratio, 3)) \(result.title)\n", file) }
        return unsafe fclose(file) == 0
    }
}
