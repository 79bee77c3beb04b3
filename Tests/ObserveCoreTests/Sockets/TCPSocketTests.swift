// SPDX-License-Identifier: MIT
// Connections to servers whose names are unknown.

import ObserveCore
import Testing

struct TCPSocketTests {
    @Test(.timeLimit(.minutes(15)))
    func `an unknown host has the sentence of the name server`() {
        let error = #expect(throws: SocketError.self) {
            _ = try TCPSocket.connect(
                host: "observed.invalid",
                port: 4222,
                until: .now.adding(milliseconds: 5000)
            )
        }
        let sentence = error?.description ?? ""
        #expect(sentence.hasPrefix("getaddrinfo failed for observed.invalid:4222: "), "\(sentence)")
        #expect(!sentence.contains("No route") && !sentence.contains("Unknown"), "\(sentence)")
    }
}
