// SPDX-License-Identifier: MIT
// Formats numbers in columns, without Foundation.

/// The number with that many digits after the point.
func rounded(_ value: Double, _ digits: Int) -> String {
    var scaled = value
    for _ in 0..<digits { scaled *= 10 }
    var text = String(Int(scaled + 0.5))
    while text.count <= digits { text = "0" + text }
    text.insert(".", at: text.index(text.endIndex, offsetBy: -digits))
    return text
}

func column(_ value: Double, _ digits: Int = 1) -> String {
    let text = rounded(value, digits)
    return String(repeating: " ", count: max(1, 9 - text.count)) + text
}
