// SPDX-License-Identifier: MIT
// The variables of a service manager, and the text of notifications.

import Glibc
import ObserveCore
import Testing

struct ServiceVariablesTests {
    private func parse(_ variables: [String: String]) throws(ServiceFault) -> ServiceVariables {
        try ServiceVariables(environment: { variables[$0] }, pid: 7)
    }

    @Test func `without variables a process has no manager`() throws {
        for variables in [
            [:], ["NOTIFY_SOCKET": "", "WATCHDOG_USEC": "", "LISTEN_FDS": "", "LISTEN_PID": ""],
        ] {
            let parsed = try parse(variables)
            #expect(parsed.notifySocket == nil)
            #expect(parsed.watchdogMicroseconds == nil)
            #expect(parsed.descriptorNames == [])
            #expect(try parsed.descriptor(named: "observed") == nil)
        }
    }

    @Test(
        arguments: [
            (["WATCHDOG_USEC": "30000000"], 30_000_000),
            (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], 30_000_000),
            (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], nil),
            (["WATCHDOG_USEC": "x", "WATCHDOG_PID": "8"], nil),
            (["WATCHDOG_USEC": "0"], nil),
            (["WATCHDOG_PID": "7"], nil),
        ] as [([String: String], UInt64?)]
    )
    func `the watchdog watches the named process`(variables: [String: String], expected: UInt64?) throws {
        #expect(try parse(variables).watchdogMicroseconds == expected)
    }

    @Test(
        arguments: [
            (["LISTEN_FDS": "1", "LISTEN_PID": "7"], 3),
            (["LISTEN_FDS": "1", "LISTEN_PID": "7", "LISTEN_FDNAMES": "web"], 3),
            (["LISTEN_FDS": "3", "LISTEN_PID": "7", "LISTEN_FDNAMES": "web::observed"], 5),
            (["LISTEN_FDS": "2", "LISTEN_PID": "7", "LISTEN_FDNAMES": "observed"], 3),
            (["LISTEN_FDS": "0", "LISTEN_PID": "7"], nil),
            (["LISTEN_FDS": "1", "LISTEN_PID": "8"], nil),
            (["LISTEN_FDS": "1"], nil),
            (["LISTEN_PID": "7"], nil),
        ] as [([String: String], Int32?)]
    )
    func `the passed socket is the only one or has the name`(variables: [String: String], expected: Int32?)
        throws
    {
        #expect(try parse(variables).descriptor(named: "observed") == expected)
    }

    @Test(arguments: [
        (["WATCHDOG_USEC": "1s"], "$WATCHDOG_USEC is 1s, which is not a number"),
        (["WATCHDOG_PID": "-7", "WATCHDOG_USEC": "1"], "$WATCHDOG_PID is -7, which is not a number"),
        (["LISTEN_FDS": "+1", "LISTEN_PID": "7"], "$LISTEN_FDS is +1, which is not a number"),
        (["LISTEN_FDS": "1025", "LISTEN_PID": "7"], "$LISTEN_FDS is 1025, more than 1024"),
        (
            ["LISTEN_FDS": "99999999999999999999", "LISTEN_PID": "7"],
            "$LISTEN_FDS is 99999999999999999999, which is not a number"
        ),
    ])
    func `a wrong number is refused with a sentence`(variables: [String: String], sentence: String) {
        #expect(throws: ServiceFault(description: sentence)) { try parse(variables) }
    }

    @Test func `two sockets with the name are refused`() throws {
        let parsed = try parse(["LISTEN_FDS": "2", "LISTEN_PID": "7", "LISTEN_FDNAMES": "observed:observed"])
        #expect(
            throws: ServiceFault(
                description: "the service manager passed 2 sockets, 2 of them with the name observed"
            )
        ) { try parsed.descriptor(named: "observed") }
    }

    @Test(.startsProcess) func `consuming the variables removes them from the environment`() async {
        await #expect(processExitsWith: .success) {
            let names = [
                "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_PID", "LISTEN_FDS",
                "LISTEN_FDNAMES",
            ]
            for name in names { unsafe setenv(name, name == "NOTIFY_SOCKET" ? "/n" : "1", 1) }
            let parsed = try ServiceVariables.consume()
            #expect(parsed.notifySocket == "/n")
            for name in names { #expect(Platform.environment(name) == nil) }
        }
    }

    @Test func `a message has a line for each assignment`() {
        #expect(ServiceNotification.text([.ready, .status("a\nb")]) == "READY=1\nSTATUS=a\\nb")
        #expect(
            ServiceNotification.text([.reloading(since: MonotonicTime(nanoseconds: 5_000_999))])
                == "RELOADING=1\nMONOTONIC_USEC=5000"
        )
        #expect(ServiceNotification.text([.stopping]) == "STOPPING=1")
        #expect(ServiceNotification.text([.watchdog]) == "WATCHDOG=1")
    }

    @Test(arguments: ["notify", "vsock:2:1", "@", "/", "/" + String(repeating: "x", count: 107)])
    func `an address that is not a Unix socket is refused`(address: String) {
        let fault = ServiceFault(description: "$NOTIFY_SOCKET is \(address), which is not a Unix socket")
        #expect(throws: fault) { try ServiceManager(address: address) }
    }
}
