// SPDX-License-Identifier: MIT
// Conversations about conditions and choices with a typed hub, line by line.

import Testing

@testable import ObserveCore

@Suite struct SelectionTranscriptTests {
    static let types = [
        TypeDeclaration(
            "Room",
            "celsius: Double?",
            "target: Double = 20.0",
            "away: Bool",
            "heating: computed Bool = {celsius < target && !away}",
            "label: computed String = {celsius:.1|no sensor} of {target:.1}"
        ),
        TypeDeclaration("Player", "title: String?", "status: String = \"Stopped\"", "volume: Int = 50"),
        TypeDeclaration(
            "Media",
            "players: [String: Player]",
            "now: computed Player? = {players.@latest[status == 'Playing']}",
            "line: computed String = {now.title ?? 'nothing'}"
        ),
    ]

    static func client() throws -> FakeClient {
        let hub = Hub.with([])
        try TypedTree.declare(
            types,
            [
                ("hall", "Room", #"{"celsius":18.25}"#),
                (
                    "media", "Media",
                    #"{"players":{"mpv":{"title":"Alien"},"vlc":{"title":"Brazil","status":"Playing"}}}"#
                ),
            ],
            in: hub.tree
        )
        let client = FakeClient(hub)
        #expect(hub.tree.revision == 2)
        return client
    }

    /// Sends requests with a method and params each, and expects the results, errors and params that the design shows.
    private func hold(_ lines: String...) throws {
        let client = try Self.client()
        var said: [String] = []
        for line in lines {
            if line.hasPrefix("> ") {
                #expect(said.isEmpty)
                let parts = line.dropFirst(2).split(separator: " ", maxSplits: 1)
                said = client.ask(#"{"id":1,"method":"\#(parts[0])","params":\#(parts[1])}"#).map(Self.short)
                said.removeAll { $0.contains(#""subscription":1,"revision""#) }
            } else {
                let expected = String(line.dropFirst(2))
                guard let index = said.firstIndex(where: { $0 == expected }) else {
                    Issue.record("expected \(expected), found \(said)")
                    continue
                }
                said.remove(at: index)
            }
        }
        said.removeAll { $0 == #"{"revision":3,"changed":true}"# || $0 == #"{"revision":4,"changed":true}"# }
        #expect(said.isEmpty)
        #expect(client.hub.tree.faults().isEmpty)
        client.close()
        #expect(client.hub.tree.faults().isEmpty)
        #expect(client.hub.tree.selectionProperties.isEmpty)
    }

    private static func short(_ line: String) -> String {
        for mark in [#""result":"#, #""error":"#, #""params":"#] {
            if let range = line.firstRange(of: mark) { return String(line[range.upperBound...].dropLast()) }
        }
        return line
    }

    @Test func `computed properties, as before`() throws {
        try hold(
            #"> get {"paths":["hall.heating","hall.label"]}"#,
            #"< {"values":[{"value":true},{"value":"18.3 of 20.0"}],"revision":2}"#,
            #"> set {"path":"hall.celsius","value":null}"#,
            #"< {"revision":3,"changed":true}"#,
            #"> get {"paths":["hall.heating","hall.label"]}"#,
            #"< {"values":[{"value":false},{"value":"no sensor of 20.0"}],"revision":3}"#
        )
    }

    @Test func `the current player is a path that binds itself again`() throws {
        try hold(
            #"> subscribe {"path":"media.now.title","initial":false}"#,
            #"> set {"path":"media.players.mpv.status","value":"Playing"}"#,
            #"< {"subscription":1,"path":"media.now.title","reason":"pathChanged","new":"Alien","changedAt":"media.now","revision":3}"#,
            #"< {"revision":3,"changed":true}"#
        )
    }

    @Test func `a write below a computed choice reaches the chosen model`() throws {
        try hold(
            #"> set {"path":"media.now.volume","value":30}"#,
            #"< {"revision":3,"changed":true}"#,
            #"> get {"path":"media.players.vlc.volume"}"#,
            #"< {"value":30,"revision":3}"#
        )
    }

    @Test func `a pattern with a condition shows what comes to match, and one null for what ceases`() throws {
        try hold(
            #"> subscribe {"path":"media.players.*[status == 'Playing'].title"}"#,
            #"< {"subscription":1,"path":"media.players.vlc[status == 'Playing'].title","reason":"initial","new":"Brazil","revision":2}"#,
            #"> set {"path":"media.players.vlc.status","value":"Paused"}"#,
            #"< {"subscription":1,"path":"media.players.vlc[status == 'Playing'].title","reason":"pathChanged","new":null,"changedAt":"media.players.vlc[status == 'Playing']","nilAt":"media.players.vlc[status == 'Playing']","revision":3}"#,
            #"< {"revision":3,"changed":true}"#
        )
    }

    @Test func `the answer counts the matches among the candidates`() throws {
        let client = try Self.client()
        let lines = client.ask(
            #"{"id":1,"method":"subscribe","params":{"path":"media.players.*[status == 'Playing'].title"}}"#
        )
        #expect(lines.count == 2 && lines[0].contains(#""initial":1,"#))
    }

    @Test func `get reads conditions and operators over chosen elements`() throws {
        try hold(
            #"> get {"paths":["hall[celsius > 21.5].label","media.players.@count[status != 'Playing']"]}"#,
            #"< {"values":[{"value":null,"nilAt":"hall[celsius > 21.5]"},{"value":1}],"revision":2}"#
        )
    }

    @Test func `errors name the column`() throws {
        try hold(
            #"> get {"path":"hall[celsius > ].label"}"#,
            #"< {"code":-32602,"message":"the param path: column 16: expected an operand, found ]","data":{"column":16}}"#,
            #"> get {"path":"media.players[0]"}"#,
            #"< {"code":-32602,"message":"the param path: column 15: the condition 0 is never true; an element is media.players.0","data":{"column":15}}"#,
            #"> get {"path":"media.players.vlc[status == 'Playing' && tilte == 'x'].title"}"#,
            #"< {"code":1,"message":"column 42: tilte: Player has no property tilte; did you mean title?","data":{"name":"notFound","path":"media.players.vlc[status == 'Playing' && tilte == 'x']","nearest":"title","column":42}}"#,
            #"> subscribe {"path":"media.players.*[tilte == 'x'].title"}"#,
            #"< {"code":1,"message":"column 17: tilte: Player has no property tilte; did you mean title?","data":{"name":"notFound","path":"media.players.*[tilte == 'x']","nearest":"title","column":17}}"#
        )
    }

    @Test func `nothing is written through a choice or a condition`() throws {
        try hold(
            #"> set {"path":"media.players.@latest[status == 'Playing'].volume","value":1}"#,
            #"< {"code":3,"message":"media.players.@latest[status == 'Playing'].volume has a choice: it can be read and subscribed to, not written","data":{"name":"readOnly","path":"media.players.@latest[status == 'Playing'].volume"}}"#,
            #"> subscribe {"path":"hall[away != true].target","initial":false}"#,
            #"> set {"path":"hall[away != true].target","value":1}"#,
            #"< {"code":3,"message":"hall[away != true].target has a condition: it can be read and subscribed to, not written","data":{"name":"readOnly","path":"hall[away != true].target"}}"#
        )
    }
}
