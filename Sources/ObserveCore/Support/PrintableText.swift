// SPDX-License-Identifier: MIT
// Makes text of unknown origin safe to print.

extension String {
    /// The text in one line, with control characters escaped: a peer may choose names that would change a terminal.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar == "\n" {
                text += "\\n"
            } else if scalar.isUnprintable {
                text += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

private extension Unicode.Scalar {
    /// Whether the character is a control character or ends a line.
    var isUnprintable: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        default: false
        }
    }
}
