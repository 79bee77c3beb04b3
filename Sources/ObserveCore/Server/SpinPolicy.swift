// SPDX-License-Identifier: MIT
// When it pays to look again and again for more, instead of being woken. Knows nothing of sockets.

/// Spinning answers a client sooner that waits for its answer before it asks again. It costs a processor, so it is for
/// nothing where clients send many requests without waiting, and where what comes takes longer than the spin.
///
/// - Threading: none of its own; its owner is its only user.
struct SpinPolicy {
    /// The last batch brought more than anybody sends who waits for answers.
    private var isPipelined = false
    /// How many times spinning is left out after a spin for nothing; doubled with each of them.
    private var penalty = 0
    private var left = 0

    static let longestPenalty = 64

    /// Asked when there is nothing to do.
    mutating func shallSpin() -> Bool {
        if isPipelined { return false }
        guard left > 0 else { return true }
        left -= 1
        return false
    }

    /// A batch is done that brought so many lines, from at most so many clients.
    mutating func note(lines: Int, of clients: Int) { isPipelined = lines > 2 &* clients }

    /// Something came while spinning, or nothing.
    mutating func note(cameInTime: Bool) {
        penalty = cameInTime ? 0 : min(max(1, penalty * 2), SpinPolicy.longestPenalty)
        left = penalty
    }
}
