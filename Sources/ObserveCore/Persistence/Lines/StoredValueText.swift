// SPDX-License-Identifier: MIT
// Values as the kept lines have them, with models by their instances; and the clock of their times. Independent of files.

extension TreeReader {
    /// Appends a present value: scalars and arrays as JSON, a model as `{"m":instance}`, or `{"w":instance}` for a
    /// weak reference. A weak reference whose target has gone is `{"w":null}`.
    @inline(__always) func appendStored(_ value: StoredValue, isWeak: Bool, to out: ByteBuffer) {
        switch value {
        case .absent where isWeak, .null where isWeak: out.append("{\"w\":null}")
        case .array, .model: appendContainer(value, isWeak: isWeak, to: out)
        default: value.writeScalar(to: out)
        }
    }

    /// Recursion is as deep as arrays nest, which the tree bounds.
    private func appendContainer(_ value: StoredValue, isWeak: Bool, to out: ByteBuffer) {
        switch value {
        case .model(let model):
            out.append(isWeak ? "{\"w\":" : "{\"m\":", instance(of: model), "}")
        case .array(let array):
            out.append(0x5B, array.elements, 0x5D) { appendStored($0, isWeak: false, to: out) }
        default: break
        }
    }

    /// Appends the property's value; for a computed property, only a mark.
    @inline(__always) func appendStored(_ id: PropertyID, to out: ByteBuffer) {
        switch content(of: id) {
        case .computed: out.append("{\"c\":true}")
        case .value(let value, let isWeak): appendStored(value, isWeak: isWeak, to: out)
        }
    }

    /// Appends a property as its model's line in a snapshot has it: `"title","Alien",40`.
    /// - Parameter isNull: whether to write a weak reference as null.
    func appendEntry(_ id: PropertyID, isNull: Bool = false, to out: ByteBuffer) {
        out.appendJSONString(decoded: name(of: id))
        out.append(0x2C)
        if isNull { out.append("{\"w\":null}") } else { appendStored(id, to: out) }
        out.append(",", revision(of: id))
    }

    /// Appends `[12,"title",stack]`.
    func appendStackEntry(_ id: PropertyID, _ clock: WallClock, to out: ByteBuffer) {
        out.append(0x5B)
        appendPlace(id, to: out)
        out.append(0x2C)
        appendStack(id, clock, to: out)
        out.append(0x5D)
    }

    @inline(__always) func appendPlace(_ id: PropertyID, to out: ByteBuffer) {
        out.append(decimal: instance(of: model(of: id)))
        out.append(0x2C)
        out.appendJSONString(decoded: name(of: id))
    }

    /// Appends the property's temporary values and the values that they shadow, the permanent value first. Each is
    /// `[value,expiry,origin]`; the last has null in the place of the value that the property holds. An origin is
    /// `[pid,uid,gid,occasion,cause]`, and missing if it is unknown. An expiry is null, `["c",owner]`, or `[end,milliseconds]`
    /// with the end in milliseconds of the system's clock.
    func appendStack(_ id: PropertyID, _ clock: WallClock, to out: ByteBuffer) {
        let stack = stack(of: id)
        out.append(0x5B)
        for (index, layer) in stack.enumerated() {
            if index > 0 { out.append(0x2C) }
            out.append(0x5B)
            if index < stack.count - 1 { appendBelow(layer, to: out) } else { out.append("null") }
            out.append(0x2C)
            append(layer.term, clock, to: out)
            if let origin = layer.origin { append(origin, to: out) }
            out.append(0x5D)
        }
        out.append(0x5D)
    }

    private func appendBelow(_ layer: StackedValue, to out: ByteBuffer) {
        if layer.value.isAbsent {
            out.append("{}")
        } else {
            appendStored(layer.value, isWeak: layer.isWeak, to: out)
        }
    }

    private func append(_ origin: ValueOrigin, to out: ByteBuffer) {
        out.append(",[")
        appendNumbers(of: origin.author, to: out)
        out.append(",", origin.cause.code)
        out.append(0x5D)
    }

    private func append(_ term: Term?, _ clock: WallClock, to out: ByteBuffer) {
        switch term {
        case nil: out.append("null")
        case .owner(let owner): out.append("[\"c\",", owner, "]")
        case .time(let end, let milliseconds):
            out.append("[", clock.milliseconds(at: end))
            out.append(",", milliseconds, "]")
        }
    }
}

/// Converts between monotonic times, which do not outlive the system's run, and the system's clock.
struct WallClock {
    /// The system's clock at the monotonic clock's zero, in milliseconds since 1970.
    let offset: Int64

    func milliseconds(at time: MonotonicTime) -> Int64 {
        offset.addingReportingOverflow(Int64(clamping: time.nanoseconds / 1_000_000)).partialValue
    }

    /// The monotonic time; zero for a time before the system's start.
    func time(atMilliseconds milliseconds: Int64) -> MonotonicTime {
        let since = milliseconds.subtractingReportingOverflow(offset).partialValue
        return MonotonicTime(nanoseconds: 0).adding(milliseconds: UInt64(clamping: since))
    }
}
