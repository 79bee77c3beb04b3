// SPDX-License-Identifier: MIT
// The param `lifetime` of writes. Independent of how temporary values end.

extension RequestMethods {
    /// When the value of the write expires; nil if it is permanent.
    func term(_ params: Request) throws(WireError) -> Term? {
        guard let value = params.value(.lifetime) else { return nil }
        if let milliseconds = value.int64(), milliseconds > 0 {
            return .time(
                clients.timeOfMoment().adding(milliseconds: UInt64(milliseconds)),
                milliseconds: milliseconds
            )
        }
        guard value.kind == .string else { throw unknownLifetime }
        switch value.decodedString() {
        case "permanent": return nil
        case "connection": return unsafe clients.writer.session.map { .owner($0.number) }
        default: throw unknownLifetime
        }
    }

    private var unknownLifetime: WireError {
        .invalidParams(
            "the param lifetime is \"permanent\", \"connection\", or a whole number of milliseconds above 0"
        )
    }

    /// Schedules the end of the temporary value just written. If its commit is rolled back, the end has no effect.
    func scheduleEnd(_ term: Term?) {
        guard case .time(let end, _) = term, !reply.isDryRun else { return }
        clients.schedule(.endLifetime(tree.reader.lastTemporaryValue), at: end)
    }
}
