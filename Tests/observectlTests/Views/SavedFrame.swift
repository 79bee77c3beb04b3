// SPDX-License-Identifier: MIT
// The frames in Tests/Frames, which tests compare exactly. Independent of the views.

import ObserveCore
import Testing

@testable import observectl

/// The sizes at which every view is tested.
let frameSizes = [FrameSize(80, 24), FrameSize(200, 50), FrameSize(40, 10)]

enum SavedFrame {
    private static var folder: String {
        let parts = #filePath.split(separator: "/").dropLast(3)
        return "/\(parts.joined(separator: "/"))/Frames"
    }

    /// Compares a text with the file of that name. With `OBSERVED_FRAMES=write`, writes the file instead: review it then.
    static func expect(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        let file = "\(folder)/\(name).txt"
        if Platform.environment("OBSERVED_FRAMES") == "write" {
            return try Platform.replaceFile(file, Array("\(text)\n".utf8))
        }
        let saved = String(decoding: try Platform.readFile(file, limitBytes: 1 << 20), as: UTF8.self)
        #expect("\(text)\n" == saved, sourceLocation: sourceLocation)
    }

    /// Compares a view at each size, with UTF-8 and with ASCII.
    static func expectAll(
        _ name: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ view: (FrameSize, Glyphs) throws -> [CellLine]
    ) throws {
        for size in frameSizes {
            for glyphs in [Glyphs.unicode, .ascii] {
                let text = try view(size, glyphs).frame(size, glyphs)
                #expect(
                    glyphs.isUnicode || text.utf8.allSatisfy { $0 < 0x7F },
                    sourceLocation: sourceLocation
                )
                let full = "\(name)-\(size.columns)x\(size.rows)\(glyphs.isUnicode ? "" : "-ascii")"
                try expect(text, full, sourceLocation: sourceLocation)
            }
        }
    }
}
