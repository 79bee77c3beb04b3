// SPDX-License-Identifier: MIT
// The tree's values as JSON text, for `get` and events. Changes nothing.

extension TreeState {
    func render(_ value: StoredValue, to out: ByteBuffer) -> Bool {
        records.render(value, to: out, at: pending.touches.isEmpty ? revision : nil)
    }

    /// Calls `body` with a scalar's text, and the quote on both sides of it. Lends stored text without counting a reference.
    @inline(__always)
    func withText(of value: borrowing StoredValue, _ body: (ByteView, _ quote: StaticString) -> Void) {
        var isText = false
        value.withText {
            isText = true
            body($0, "\"")
        }
        if isText { return }
        scratchText.removeAll()
        value.writeScalar(to: scratchText)
        body(scratchText.view, "")
    }
}
