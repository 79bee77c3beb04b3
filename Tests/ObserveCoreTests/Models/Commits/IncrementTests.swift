// SPDX-License-Identifier: MIT
// `increment`: sums up to the limits of their types.

import Testing

@testable import ObserveCore

struct IncrementTests {
    @Test(arguments: [
        ("1", "", "2"),
        ("1", #","by":5"#, "6"),
        ("1", #","by":-5"#, "-4"),
        ("1", #","by":0.5"#, "1.5"),
        ("1.5", "", "2.5"),
        ("1.5", #","by":0.5"#, "2.0"),
        ("null", "", "1"),
        ("null", #","by":0"#, "0"),
        ("null", #","by":0.0"#, "0.0"),
        ("null", #","by":-1.5"#, "-1.5"),
        ("9223372036854775806", "", "9223372036854775807"),
        ("-9223372036854775807", #","by":-1"#, "-9223372036854775808"),
        ("0", #","by":-9223372036854775808"#, "-9223372036854775808"),
        ("9223372036854775807", #","by":-9223372036854775808"#, "-1"),
        ("9223372036854775807", #","by":1.0"#, "9.223372036854776e+18"),
        ("1e308", #","by":7e307"#, "1.7e+308"),
    ])
    func `increment adds numbers`(start: String, by: String, sum: String) {
        let talk = Conversation([("t", #"{"n":\#(start),"r":[\#(start)]}"#)])
        talk.watch("t.n")
        #expect(
            talk.ask("increment", #"{"path":"t.n"\#(by)}"#)
                == #"{"revision":2,"changed":true,"value":\#(sum)}"#
        )
        #expect(talk.value("t.n") == sum)
        #expect(
            talk.events() == [
                #""path":"t.n","reason":"valueChanged","new":\#(sum),"old":\#(shown(start)),"revision":2"#
            ]
        )
        #expect(
            talk.ask("increment", #"{"path":"t.r.0"\#(by)}"#)
                == #"{"revision":3,"changed":true,"value":\#(sum)}"#
        )
        #expect(talk.value("t.r") == "[\(sum)]")
    }

    @Test(arguments: [
        ("95", #""by":10,"max":100"#, "100"), ("95", #""by":5,"max":100"#, "100"),
        ("95", #""by":4,"max":100"#, "99"),
        ("5", #""by":-10,"min":0"#, "0"), ("5", #""by":-10,"min":-1.5"#, "-1.5"),
        ("150", #""by":5,"max":100"#, "100"),
        ("0.5", #""by":0.75,"min":0,"max":1"#, "1"), ("null", #""by":1,"min":5"#, "5"),
        ("9223372036854775807", #""by":1,"max":9223372036854775807"#, "9223372036854775807"),
        ("-9223372036854775808", #""by":-1,"min":0"#, "0"), ("50", #""by":0,"min":50.0,"max":50"#, "50"),
        ("-9223372036854775808", #""by":-1,"min":-9223372036854775808"#, "-9223372036854775808"),
        ("9223372036854775807", #""by":1,"max":9e18"#, "9e+18"),
        ("1e308", #""by":1e308,"max":1e308"#, "1e+308"),
        // Sums beyond 64 bits are compared without rounding.
        (
            "4611686018427387904", #""by":4611686018427387905,"max":9223372036854775808.0"#,
            "9.223372036854776e+18"
        ),
        (
            "-4611686018427387904", #""by":-4611686018427387905,"min":-9223372036854775808.0"#,
            "-9.223372036854776e+18"
        ),
        (
            "9223372036854775807", #""by":2,"min":9223372036854777856.0"#, "9.223372036854778e+18"
        ),
        ("-9223372036854775808", #""by":-2,"max":-1e300"#, "-1e+300"),
    ])
    func `a bound takes the place of a sum beyond it`(start: String, params: String, sum: String) {
        let talk = Conversation([("t", #"{"n":\#(start)}"#)])
        let answer = talk.ask("increment", #"{"path":"t.n",\#(params)}"#)
        #expect(answer.hasSuffix(#""value":\#(sum)}"#), "\(answer)")
        #expect(talk.value("t.n") == sum)
    }

    @Test(arguments: [
        (#""by":1,"min":2,"max":1"#, "the param min is above the param max"),
        (#""min":"0""#, "the param min is a number"), (#""max":null"#, "the param max is a number"),
        (#""max":1e400"#, ""),
    ])
    func `faulty bounds are refused`(params: String, sentence: String) {
        let talk = Conversation([("t", #"{"n":1}"#)])
        let answer = talk.ask("increment", #"{"path":"t.n",\#(params)}"#)
        #expect(answer.contains("-32602") && answer.contains(sentence), "\(answer)")
        #expect(talk.value("t.n") == "1")
    }

    /// The sum as the tree renders it.
    private func shown(_ number: String) -> String { number == "1e308" ? "1e+308" : number }

    @Test func `increment counts a missing value as 0`() {
        let talk = Conversation([("t", "{}")])
        #expect(talk.ask("increment", #"{"path":"t.a"}"#) == #"{"revision":2,"changed":true,"value":1}"#)
        #expect(
            talk.ask("increment", #"{"path":"hits","by":0}"#) == #"{"revision":3,"changed":true,"value":0}"#
        )
        #expect(talk.value("t") == #"{"a":1}"#)
        #expect(talk.value("hits") == "0")
    }

    @Test(arguments: [
        ("5", "0", "5"), ("5", "0.0", "5"), ("2.5", "0", "2.5"), ("1e300", "1", "1e+300"), ("0", "-0.0", "0"),
    ])
    func `an equal sum changes nothing`(start: String, by: String, value: String) {
        let talk = Conversation([("t", start)])
        talk.watch("t")
        #expect(
            talk.ask("increment", #"{"path":"t","by":\#(by)}"#)
                == #"{"revision":1,"changed":false,"value":\#(value)}"#
        )
        #expect(talk.events().isEmpty)
    }

    @Test(arguments: [
        (#"{"path":"t.max"}"#, #"6 {"name":"limitExceeded","path":"t.max"}"#),
        (#"{"path":"t.min","by":-1}"#, #"6 {"name":"limitExceeded","path":"t.min"}"#),
        (#"{"path":"t.min","by":-9223372036854775808}"#, #"6 {"name":"limitExceeded","path":"t.min"}"#),
        (#"{"path":"t.big","by":1.7e308}"#, #"6 {"name":"limitExceeded","path":"t.big"}"#),
        (#"{"path":"t.max","max":1e300}"#, #"6 {"name":"limitExceeded","path":"t.max"}"#),
        (#"{"path":"t.min","by":-1,"min":-1e300}"#, #"6 {"name":"limitExceeded","path":"t.min"}"#),
        (#"{"path":"t.max","max":9223372036854775808.0}"#, #"6 {"name":"limitExceeded","path":"t.max"}"#),
        (
            #"{"path":"t.max","by":2,"max":9223372036854777856.0}"#,
            #"6 {"name":"limitExceeded","path":"t.max"}"#
        ),
        (#"{"path":"t.s"}"#, #"2 {"name":"typeMismatch","path":"t.s"}"#),
        (#"{"path":"t.b"}"#, #"2 {"name":"typeMismatch","path":"t.b"}"#),
        (#"{"path":"t.r"}"#, #"2 {"name":"typeMismatch","path":"t.r"}"#),
        (#"{"path":"t"}"#, #"2 {"name":"typeMismatch","path":"t"}"#),
        (#"{"path":"t.r.0"}"#, #"2 {"name":"typeMismatch","path":"t.r.0"}"#),
        (#"{"path":"t.s.x"}"#, #"2 {"name":"typeMismatch","path":"t.s"}"#),
        (#"{"path":"t.r.1"}"#, #"1 {"name":"notFound","path":"t.r.1"}"#),
        (#"{"path":"t.r.x"}"#, #"1 {"name":"notFound","path":"t.r.x"}"#),
        (#"{"path":"t.no.x"}"#, #"1 {"name":"notFound","path":"t.no"}"#),
        (#"{"path":"observed.revision"}"#, #"3 {"name":"readOnly","path":"observed.revision"}"#),
        (#"{"path":"t.max","by":"1"}"#, "-32602"),
        (#"{"path":"t.max","by":null}"#, "-32602"),
        (#"{"path":"t.max","by":true}"#, "-32602"),
        (#"{"path":"t.min","by":9223372036854775808}"#, "-32602"),
        (#"{"path":"t.min","by":1e999}"#, "-32602"),
        (#"{"path":"t.min","parents":true}"#, "-32602"),
        (#"{"by":1}"#, "-32602"),
        (#"{"path":"*"}"#, "-32602"),
        (#"{"path":"t.r.@sum"}"#, #"3 {"name":"readOnly","path":"t.r.@sum"}"#),
        (
            #"{"path":"t.min","ifRevision":0}"#,
            #"4 {"name":"conflict","path":"t.min","value":-9223372036854775808,"revision":1}"#
        ),
        (#"{"path":"t.no","ifValue":0}"#, #"4 {"name":"conflict","path":"t.no","value":null,"revision":1}"#),
    ])
    func `a refused request changes nothing`(params: String, refusal: String) {
        let tree =
            #"{"max":9223372036854775807,"min":-9223372036854775808,"big":1.7e+308,"s":"1","b":true,"r":[[]]}"#
        let talk = Conversation([("t", tree)])
        talk.watch("t.max", "t.min", "t.big")
        #expect(talk.refusal("increment", params) == refusal)
        #expect(talk.value("t") == tree)
        #expect(talk.events().isEmpty)
        #expect(talk.revision == 1)
    }
}
