// SPDX-License-Identifier: MIT
// The forms of a duration, and the options that take one.

import Testing

@testable import observectl

struct DurationArgumentTests {
    @Test(
        arguments: [
            ("200ms", 200_000_000), ("2s", 2_000_000_000), ("25m", 1_500_000_000_000),
            ("1h", 3_600_000_000_000), ("1.5s", 1_500_000_000), (".5h", 1_800_000_000_000), ("0ms", 0),
            ("0", 0), ("0.0000001ms", 1), ("9999999999h", 3_000_000_000_000_000_000), ("2", 2_000_000_000),
            ("1d", 86_400_000_000_000), ("1h30m", 5_400_000_000_000), ("1m2s3ms", 62_003_000_000),
        ] as [(String, UInt64)]
    )
    func `a duration has units, or is in seconds`(text: String, nanoseconds: UInt64) {
        #expect(DurationArgument(text)?.nanoseconds == nanoseconds)
    }

    @Test(arguments: [
        "", "s", "ms", "h", ".", ".s", "-1s", "+1s", "1e3s", "1 s", "1S", "1sec", "1h30", "h1", "1hm", "inf",
        "nans", "0x1s",
        "1,5s",
        "٣s",
    ])
    func `other texts are not a duration`(text: String) {
        #expect(DurationArgument(text) == nil)
    }

    @Test(
        arguments: [("1.5ms", nil), ("0.0015s", nil), ("1.5s", 1500), ("1m", 60_000)] as [(String, Int64?)]
    )
    func `the daemon takes whole milliseconds`(text: String, milliseconds: Int64?) {
        #expect(DurationArgument(text)?.milliseconds == milliseconds)
    }

    @Test(
        arguments: [
            (["subscribe", "a", "--throttle", "2s"], #"{"path":"a","throttle":2000}"#),
            (["subscribe", "a", "--debounce", "1.5s"], #"{"path":"a","debounce":1500}"#),
            (["set", "--lifetime", "1h", "a", "1"], #"{"path":"a","value":1,"lifetime":3600000}"#),
            (["--timeout", "1h", "set", "a", "1"], #"{"path":"a","value":1}"#),
        ]
    )
    func `options take durations`(words: [String], params: String) throws {
        let daemon = try FakeDaemon { _ in
            .init(lines: [#"{"id":1,"result":{"subscription":1,"revision":1,"initial":0}}"#], isLast: true)
        }
        _ = try ToolRun(
            ["--socket", daemon.path] + words + (words[0] == "subscribe" ? ["--no-reconnect"] : [])
        )
        let requests = daemon.requests
        #expect(requests.count == 1)
        #expect(requests.first?.hasSuffix(#""params":\#(params)}"#) == true, "\(requests)")
    }

    @Test(
        arguments: [
            (
                ["subscribe", "a", "--throttle", "soon"],
                "--throttle takes a duration, like 200ms, 2s, 25m, 1h or 1d, not 'soon'"
            ),
            (["subscribe", "a", "--debounce", "1.5ms"], "--debounce takes whole milliseconds, not '1.5ms'"),
            (["subscribe", "a", "--throttle", "200"], "--throttle 200 has no unit: write 200ms or 200s"),
            (["set", "--lifetime", "2", "a", "1"], "--lifetime 2 has no unit: write 2ms or 2s"),
            (
                ["set", "--lifetime", "0s", "a", "1"],
                "--lifetime takes 'connection', 'permanent' or a duration of whole milliseconds above 0, "
                    + "like 200ms, 2s, 25m, 1h or 1d, not '0s'"
            ),
            (
                ["bench", "--seconds", "0"],
                "--seconds takes a duration above 0, like 1.5 (seconds), 200ms, 2s, 25m, 1h or 1d, not '0'"
            ),
        ]
    )
    func `other texts are a wrong command line`(words: [String], sentence: String) throws {
        let run = try ToolRun(words)
        #expect(run.ending == .status(.usage))
        #expect(run.error.split(separator: "\n").first == "observectl: \(sentence)")
    }
}
