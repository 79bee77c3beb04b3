// SPDX-License-Identifier: MIT
// A subscriber and a writer that connect again after an upgrade. Independent of the daemon's process.

import ObserveCore
import Testing

extension UpgradeTests {
    /// A subscriber to `counter` that connects again and resumes, as the protocol says.
    final class Resuming {
        private let socket: String
        private var connection: LineConnection
        private var since = ""
        private(set) var seen: [Int64] = []
        private(set) var upgrades = 0

        init(_ socket: String) throws {
            self.socket = socket
            connection = try LineConnection(path: socket)
            try subscribe()
        }

        private func subscribe() throws {
            let answer = try #require(
                try connection.ask(
                    #"{"id":1,"method":"subscribe","params":{"path":"counter","delivery":"every","initial":false\#(since)}}"#
                )
            )
            let result = try #require(try Value(json: answer)["result"])
            #expect(result["resumed"] == .bool(!since.isEmpty))
            let epoch = try #require(result["epoch"]?.string)
            position(epoch, result["revision"]?.int ?? 0)
        }

        private var epoch = ""

        private func position(_ epoch: String, _ revision: Int64) {
            self.epoch = epoch
            since = #","since":{"epoch":"\#(epoch)","revision":\#(revision)}"#
        }

        /// Reads events until it has seen the value.
        func read(until value: Int64) throws {
            while seen.last != value {
                let line = try Value(json: try #require(try connection.readLine()))
                let params = try #require(line["params"])
                if line["method"]?.string == "goodbye" {
                    #expect(params["reason"]?.string == "upgrade")
                    upgrades += 1
                    position(epoch, try #require(params["revision"]?.int))
                    connection = try LineConnection(path: socket)
                    let former = since
                    try subscribe()
                    since = former
                } else {
                    seen.append(try #require(params["new"]?.int))
                    position(epoch, try #require(params["revision"]?.int))
                }
            }
        }
    }

    /// Writes numbers all the time, and connects again after an upgrade.
    final class Writer {
        private let socket: String
        private var connection: LineConnection
        private(set) var last: Int64 = 0
        private(set) var upgrades = 0

        init(_ socket: String) throws {
            self.socket = socket
            connection = try LineConnection(path: socket)
        }

        func writeNext() throws {
            last += 1
            let line = #"{"id":1,"method":"set","params":{"path":"counter","value":\#(last)}}"#
            // The daemon may close before it has read the line.
            try? connection.send(line)
            while true {
                let answer = (try? connection.readLine()).flatMap { $0 } ?? ""
                if answer.contains("\"result\"") { return }
                #expect(answer.isEmpty || answer.contains("\"upgrade\""))
                upgrades += 1
                connection = try LineConnection(path: socket)
                try connection.send(line)
            }
        }
    }
}
