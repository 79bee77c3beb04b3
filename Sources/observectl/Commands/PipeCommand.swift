// SPDX-License-Identifier: MIT
// `observectl pipe`: the protocol on standard input and output. Independent of the lines' meaning.

import ObserveCore

extension CommandSpec {
    static let pipe = CommandSpec(
        usage: "pipe",
        summary: "send the lines of standard input to the daemon, and print its lines",
        details: """
            Each line is a request of the protocol, each line printed an answer or an event, verbatim and at
            once. At the end of the input the command prints the remaining answers and ends; with
            subscriptions, it continues until it is interrupted.

            Examples:
              echo '{"id":1,"method":"ping"}' | observectl pipe
              observectl pipe < requests.jsonl > answers.jsonl
            """
    ) { (invocation) throws(CommandError) in try invocation.pipe() }
}

private extension Invocation {
    func pipe() throws(CommandError) {
        let socket = try connectSocket()
        announceInput("requests")
        let input = streams.input
        let unsent = ByteBuffer()
        var received: [UInt8] = []
        var isInputOpen = true
        while true {
            let readsInput = isInputOpen && unsent.isEmpty
            let wanted: [(descriptor: Int32, events: PollEvents)] = [
                (socket.number, unsent.isEmpty ? .readable : [.readable, .writable]),
                (readsInput ? input : -1, .readable), (streams.output, []),
            ]
            let came = Poll.wait(for: wanted, until: deadline)
            if came.allSatisfy(\.isEmpty) { throw .client(.timedOut) }
            if came[2].contains(.gone) { throw .client(.abandoned) }
            // The daemon may have sent `goodbye` before it closed, so print its lines first.
            if came[0].contains(.writable), case .failed = unsent.send(to: socket.number) {
                unsent.removeAll()
            }
            if !came[0].isDisjoint(with: [.readable, .gone]) {
                guard try receive(socket.number, &received) else {
                    try write(received)
                    if isInputOpen { throw .client(.connectionLost(code: 0)) }
                    return
                }
            }
            if readsInput, !came[1].isEmpty {
                if let bytes = try availableInput() {
                    unsent.append(contentsOf: bytes)
                } else {
                    isInputOpen = false
                    // If that fails, the daemon has closed, and the next read says so.
                    try? UnixSocket.shutdownWriting(socket.number)
                }
            }
        }
    }

    /// Prints the available lines of the daemon, whole, so that no character is split. False at their end.
    func receive(_ socket: Int32, _ received: inout [UInt8]) throws(CommandError) -> Bool {
        let (result, bytes) = ByteIO.read(socket, limitBytes: 65_536)
        switch result {
        case .bytes:
            guard let end = bytes.lastIndex(of: 0x0A) else {
                received += bytes
                break
            }
            try write(received + bytes[...end])
            received = Array(bytes[(end + 1)...])
        case .wouldBlock: break
        case .endOfInput: return false
        case .failed(let code): throw .client(.connectionLost(code: code))
        }
        return true
    }
}
