// SPDX-License-Identifier: MIT
// Values in the form in which they outlive the process: models by their instances. Independent of files.

extension TreeReader {
    /// Appends a value that is present: scalars and arrays as JSON, a model as `{"m":instance}`, or `{"w":instance}`
    /// where the reference is weak; a weak one whose target has gone is `{"w":null}`.
    @inline(__always)
    func appendStored(_ value: StoredValue, isWeak: Bool, to out: ByteBuffer) {
        switch value {
        case .absent, .null: out.append(isWeak ? "{\"w\":null}" : "null")
        case .bool(let bool): out.append(bool ? "true" : "false")
        case .int(let int): out.append(decimal: int)
        case .double(let double): out.append(double: double)
        case .string(let string): string.write(to: out)
        case .text(let text):
            out.append(0x22)
            out.append(text.view)
            out.append(0x22)
        case .array, .model: appendContainer(value, isWeak: isWeak, to: out)
        }
    }

    /// Recursion is as deep as arrays nest, which the tree bounds.
    private func appendContainer(_ value: StoredValue, isWeak: Bool, to out: ByteBuffer) {
        switch value {
        case .model(let model):
            out.append(isWeak ? "{\"w\":" : "{\"m\":")
            out.append(decimal: instance(of: model))
            out.append(0x7D)
        case .array(let array):
            out.append(0x5B)
            for (index, element) in array.elements.enumerated() {
                if index > 0 { out.append(0x2C) }
                appendStored(element, isWeak: false, to: out)
            }
            out.append(0x5D)
        default: break
        }
    }

    /// Appends the property's value; of a computed property only that it is computed.
    @inline(__always)
    func appendStored(_ id: PropertyID, to out: ByteBuffer) {
        switch content(of: id) {
        case .computed: out.append("{\"c\":true}")
        case .value(let value, let isWeak): appendStored(value, isWeak: isWeak, to: out)
        }
    }

    /// Appends a property as its model's line in a snapshot has it: `"title","Alien",40`.
    ///
    /// - Parameter isNull: a weak reference is written as null.
    func appendEntry(_ id: PropertyID, isNull: Bool = false, to out: ByteBuffer) {
        out.appendJSONString(decoded: name(of: id))
        out.append(0x2C)
        if isNull { out.append("{\"w\":null}") } else { appendStored(id, to: out) }
        out.append(0x2C)
        out.append(decimal: revision(of: id))
    }

    /// Appends the property's temporary values, with its place: `[12,"title",stack]`.
    func appendStackEntry(_ id: PropertyID, _ clock: WallClock, to out: ByteBuffer) {
        out.append(0x5B)
        appendPlace(id, to: out)
        out.append(0x2C)
        appendStack(id, clock, to: out)
        out.append(0x5D)
    }

    /// Appends the property's instance and name: `12,"title"`.
    @inline(__always)
    func appendPlace(_ id: PropertyID, to out: ByteBuffer) {
        out.append(decimal: instance(of: model(of: id)))
        out.append(0x2C)
        out.appendJSONString(decoded: name(of: id))
    }

    /// Appends the property's temporary values and what they shadow, the permanent value first: `[value,expiry]` each, and
    /// at last `[null,expiry]` for the value that the property holds. An expiry is null, `["c",owner]`, or
    /// `[end,milliseconds]` with the end in milliseconds of the system's clock.
    func appendStack(_ id: PropertyID, _ clock: WallClock, to out: ByteBuffer) {
        let stack = stack(of: id)
        out.append(0x5B)
        for (index, temporaryValue) in stack.enumerated() {
            if index > 0 { out.append(0x2C) }
            out.append(0x5B)
            if index < stack.count - 1 {
                appendShadowed(temporaryValue, to: out)
            } else {
                out.append("null")
            }
            out.append(0x2C)
            append(temporaryValue.term, clock, to: out)
            out.append(0x5D)
        }
        out.append(0x5D)
    }

    private func appendShadowed(_ temporaryValue: TemporaryValue, to out: ByteBuffer) {
        if temporaryValue.value.isAbsent {
            out.append("{}")
        } else {
            appendStored(temporaryValue.value, isWeak: temporaryValue.isWeak, to: out)
        }
    }

    private func append(_ term: Expiry?, _ clock: WallClock, to out: ByteBuffer) {
        switch term {
        case nil: out.append("null")
        case .owner(let owner):
            out.append("[\"c\",")
            out.append(decimal: Int64(owner))
            out.append(0x5D)
        case .time(let end, let milliseconds):
            out.append(0x5B)
            out.append(decimal: clock.milliseconds(at: end))
            out.append(0x2C)
            out.append(decimal: milliseconds)
            out.append(0x5D)
        }
    }
}

/// The system's clock beside the monotonic one, which does not outlive the system's start.
struct WallClock {
    /// What the system's clock shows, in milliseconds since 1970, when the monotonic one shows zero.
    let offset: Int64

    func milliseconds(at time: MonotonicTime) -> Int64 {
        offset.addingReportingOverflow(Int64(clamping: time.nanoseconds / 1_000_000)).partialValue
    }

    /// A time that has passed is the beginning of all.
    func time(atMilliseconds milliseconds: Int64) -> MonotonicTime {
        let since = milliseconds.subtractingReportingOverflow(offset).partialValue
        return MonotonicTime(nanoseconds: 0).adding(milliseconds: UInt64(clamping: since))
    }
}
