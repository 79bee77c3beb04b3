// SPDX-License-Identifier: MIT
// Transcripts of the reading methods, and of a typical session.

@testable import ObserveCore

extension Transcript {
    static let methods: [Transcript] = [
        Transcript(
            "the article's path re-binds",
            #"""
            = $app {"playbackController":{"player":{"videoTitle":"Alien","time":0}},"volume":50}
            > {"id":1,"method":"subscribe","params":{"path":"$app.playbackController.player.videoTitle"}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":1,"resumed":false}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$app.playbackController.player.videoTitle","reason":"initial","new":"Alien","revision":1}}
            > {"id":2,"method":"set","params":{"path":"$app.playbackController.player.videoTitle","value":"Aliens"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$app.playbackController.player.videoTitle","reason":"valueChanged","new":"Aliens","revision":2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}}
            > {"id":3,"method":"set","params":{"path":"$app.playbackController.player","value":{"videoTitle":"Blade Runner"}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$app.playbackController.player.videoTitle","reason":"pathChanged","new":"Blade Runner","changedAt":"$app.playbackController.player","revision":3}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true}}
            > {"id":4,"method":"set","params":{"path":"$app.playbackController.player","value":null}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$app.playbackController.player.videoTitle","reason":"pathChanged","new":null,"changedAt":"$app.playbackController.player","nilAt":"$app.playbackController.player","revision":4}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":4,"changed":true}}
            > {"id":5,"method":"set","params":{"path":"$app.playbackController.player","value":{"videoTitle":"Heat"}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$app.playbackController.player.videoTitle","reason":"pathChanged","new":"Heat","changedAt":"$app.playbackController.player","revision":5}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":5,"changed":true}}
            > {"id":6,"method":"set","params":{"path":"$app.playbackController","value":{"player":null}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$app.playbackController.player.videoTitle","reason":"pathChanged","new":null,"changedAt":"$app.playbackController","nilAt":"$app.playbackController.player","revision":6}}
            < {"jsonrpc":"2.0","id":6,"result":{"revision":6,"changed":true}}
            > {"id":7,"method":"set","params":{"path":"$app.playbackController","value":{"player":{"videoTitle":"Ran"}}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$app.playbackController.player.videoTitle","reason":"pathChanged","new":"Ran","changedAt":"$app.playbackController","revision":7}}
            < {"jsonrpc":"2.0","id":7,"result":{"revision":7,"changed":true}}
            > {"id":8,"method":"unsubscribe","params":{"subscription":1}}
            < {"jsonrpc":"2.0","id":8,"result":{}}
            > {"id":9,"method":"set","params":{"path":"$app.playbackController.player.videoTitle","value":"Kagemusha"}}
            < {"jsonrpc":"2.0","id":9,"result":{"revision":8,"changed":true}}
            """#
        ),
        Transcript(
            "get: values, null and where it is broken",
            #"""
            = $a {"i":1,"d":1.0,"s":"x\ny","n":null,"b":true,"r":[1,[2,{"k":3}]],"m":{"e":{}}}
            > {"id":1,"method":"get","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":1,"result":{"value":{"i":1,"d":1.0,"s":"x\ny","n":null,"b":true,"r":[1,[2,{"k":3}]],"m":{"e":{}}},"revision":1}}
            > {"id":2,"method":"get","params":{"path":"$a.i"}}
            < {"jsonrpc":"2.0","id":2,"result":{"value":1,"revision":1}}
            > {"id":3,"method":"get","params":{"path":"$a.d"}}
            < {"jsonrpc":"2.0","id":3,"result":{"value":1.0,"revision":1}}
            > {"id":4,"method":"get","params":{"path":"$a.n"}}
            < {"jsonrpc":"2.0","id":4,"result":{"value":null,"revision":1}}
            > {"id":5,"method":"get","params":{"path":"$a.n.x.y"}}
            < {"jsonrpc":"2.0","id":5,"result":{"value":null,"nilAt":"$a.n","revision":1}}
            > {"id":6,"method":"get","params":{"path":"$a.nothing"}}
            < {"jsonrpc":"2.0","id":6,"result":{"value":null,"revision":1}}
            > {"id":7,"method":"get","params":{"path":"$a.nothing.x"}}
            < {"jsonrpc":"2.0","id":7,"result":{"value":null,"nilAt":"$a.nothing","revision":1}}
            > {"id":8,"method":"get","params":{"path":"$a.i.x"}}
            < {"jsonrpc":"2.0","id":8,"result":{"value":null,"nilAt":"$a.i","revision":1}}
            > {"id":9,"method":"get","params":{"path":"$a.r.1.1.k"}}
            < {"jsonrpc":"2.0","id":9,"result":{"value":3,"revision":1}}
            > {"id":10,"method":"get","params":{"path":"$a.r.5"}}
            < {"jsonrpc":"2.0","id":10,"result":{"value":null,"revision":1}}
            > {"id":11,"method":"get","params":{"path":"$a.r.5.k"}}
            < {"jsonrpc":"2.0","id":11,"result":{"value":null,"nilAt":"$a.r.5","revision":1}}
            > {"id":12,"method":"get","params":{"path":"$a.r.01"}}
            < {"jsonrpc":"2.0","id":12,"result":{"value":null,"revision":1}}
            > {"id":13,"method":"get","params":{"path":"$a.r.x"}}
            < {"jsonrpc":"2.0","id":13,"result":{"value":null,"revision":1}}
            > {"id":14,"method":"get","params":{"path":"$gone"}}
            < {"jsonrpc":"2.0","id":14,"result":{"value":null,"revision":1}}
            > {"id":15,"method":"get","params":{"path":"$gone.x"}}
            < {"jsonrpc":"2.0","id":15,"result":{"value":null,"nilAt":"$gone","revision":1}}
            > {"id":16,"method":"get","params":{"path":["$a","r",0]}}
            < {"jsonrpc":"2.0","id":16,"result":{"value":1,"revision":1}}
            > {"id":17,"method":"get","params":{"path":["$a","r","1","1"]}}
            < {"jsonrpc":"2.0","id":17,"result":{"value":{"k":3},"revision":1}}
            """#
        ),
        Transcript(
            "names with dots, stars and at signs",
            #"""
            = $a {}
            > {"id":1,"method":"set","params":{"path":"$a.living\\.room","value":1}}
            < {"jsonrpc":"2.0","id":1,"result":{"revision":2,"changed":true}}
            > {"id":2,"method":"set","params":{"path":["$a","*"],"value":2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":3,"changed":true}}
            > {"id":3,"method":"set","params":{"path":"$a.\\@count","value":3}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":4,"changed":true}}
            > {"id":4,"method":"set","params":{"path":["$a","back\\slash"],"value":4}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":5,"changed":true}}
            > {"id":5,"method":"set","params":{"path":"$a.é","value":5}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":6,"changed":true}}
            > {"id":6,"method":"get","params":{"path":"$a.é"}}
            < {"jsonrpc":"2.0","id":6,"result":{"value":null,"revision":6}}
            > {"id":7,"method":"get","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":7,"result":{"value":{"living.room":1,"*":2,"@count":3,"back\\slash":4,"é":5},"revision":6}}
            > {"id":8,"method":"subscribe","params":{"paths":[["$a","living.room"],"$a.\\*","$a.\\@count",["$a","back\\slash"]]}}
            < {"jsonrpc":"2.0","id":8,"result":{"subscription":1,"revision":6,"epoch":"E","initial":4,"resumed":false}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.living\\.room","reason":"initial","new":1,"revision":6,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.\\*","reason":"initial","new":2,"revision":6,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.\\@count","reason":"initial","new":3,"revision":6,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.back\\\\slash","reason":"initial","new":4,"revision":6}}
            > {"id":9,"method":"set","params":{"path":"$a.0","value":6}}
            < {"jsonrpc":"2.0","id":9,"result":{"revision":7,"changed":true}}
            > {"id":10,"method":"get","params":{"path":["$a",0]}}
            < {"jsonrpc":"2.0","id":10,"result":{"value":6,"revision":7}}
            """#
        ),
        Transcript(
            "subscribe and unsubscribe are counted on each connection",
            #"""
            = $a {"x":1,"y":2}
            > {"id":1,"method":"subscribe","params":{"path":"$a.x"}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":1,"resumed":false}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"initial","new":1,"revision":1}}
            > {"id":2,"method":"subscribe","params":{"paths":["$a.y","$a.x","$a.y"],"initial":false}}
            < {"jsonrpc":"2.0","id":2,"result":{"subscription":2,"revision":1,"epoch":"E","initial":0,"resumed":false}}
            > {"id":3,"method":"subscribe","params":{"path":"$a.x","initial":false}}
            < {"jsonrpc":"2.0","id":3,"result":{"subscription":3,"revision":1,"epoch":"E","initial":0,"resumed":false}}
            > {"id":4,"method":"set","params":{"path":"$a.x","value":2}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"valueChanged","new":2,"revision":2}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":2,"path":"$a.x","reason":"valueChanged","new":2,"revision":2}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":3,"path":"$a.x","reason":"valueChanged","new":2,"revision":2}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":2,"changed":true}}
            > {"id":5,"method":"unsubscribe","params":{"subscription":2}}
            < {"jsonrpc":"2.0","id":5,"result":{}}
            > {"id":6,"method":"unsubscribe","params":{"subscription":2}}
            < {"jsonrpc":"2.0","id":6,"error":{"code":1,"message":"this connection has no subscription 2","data":{"name":"notFound"}}}
            > {"id":7,"method":"set","params":{"path":"$a.x","value":3}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"valueChanged","new":3,"revision":3}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":3,"path":"$a.x","reason":"valueChanged","new":3,"revision":3}}
            < {"jsonrpc":"2.0","id":7,"result":{"revision":3,"changed":true}}
            > {"id":8,"method":"unsubscribe","params":{"subscription":7}}
            < {"jsonrpc":"2.0","id":8,"error":{"code":1,"message":"this connection has no subscription 7","data":{"name":"notFound"}}}
            > {"id":9,"method":"unsubscribe","params":{"subscription":99999999999}}
            < {"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"this connection has no subscription 99999999999","data":{"name":"notFound"}}}
            > {"id":10,"method":"unsubscribe"}
            < {"jsonrpc":"2.0","id":10,"error":{"code":-32602,"message":"unsubscribe needs the param subscription"}}
            > {"id":11,"method":"unsubscribe","params":{"subscription":"1"}}
            < {"jsonrpc":"2.0","id":11,"error":{"code":-32602,"message":"the param subscription is the number of a subscription"}}
            > {"id":12,"method":"subscribe","params":{"path":"$a.y"}}
            < {"jsonrpc":"2.0","id":12,"result":{"subscription":4,"revision":3,"epoch":"E","initial":1,"resumed":false}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":4,"path":"$a.y","reason":"initial","new":2,"revision":3}}
            """#
        ),
        Transcript(
            "describe: kinds, identity and strength",
            #"""
            = $a {"i":1,"d":1.5,"s":"x","b":false,"n":null,"r":[1,{}],"m":{"k":1}}
            > {"id":1,"method":"describe","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":1,"result":{"kind":"model","type":"Any","instance":1,"weak":false,"computed":false,"readonly":false,"count":7,"properties":[{"name":"i","kind":"int","type":"Any","weak":false,"computed":false,"readonly":false},{"name":"d","kind":"double","type":"Any","weak":false,"computed":false,"readonly":false},{"name":"s","kind":"string","type":"Any","weak":false,"computed":false,"readonly":false},{"name":"b","kind":"bool","type":"Any","weak":false,"computed":false,"readonly":false},{"name":"n","kind":"null","type":"Any","weak":false,"computed":false,"readonly":false},{"name":"r","kind":"array","type":"Any","weak":false,"computed":false,"readonly":false},{"name":"m","kind":"model","type":"Any","instance":3,"weak":false,"computed":false,"readonly":false}]}}
            > {"id":2,"method":"describe","params":{"path":"$a.m"}}
            < {"jsonrpc":"2.0","id":2,"result":{"kind":"model","type":"Any","instance":3,"weak":false,"computed":false,"readonly":false,"count":1,"properties":[{"name":"k","kind":"int","type":"Any","weak":false,"computed":false,"readonly":false}]}}
            > {"id":3,"method":"describe","params":{"path":"$a.r"}}
            < {"jsonrpc":"2.0","id":3,"result":{"kind":"array","type":"Any","weak":false,"computed":false,"readonly":false,"count":2}}
            > {"id":4,"method":"describe","params":{"path":"$a.r.1"}}
            < {"jsonrpc":"2.0","id":4,"result":{"kind":"model","type":"Any","instance":2,"weak":false,"computed":false,"readonly":false,"count":0,"properties":[]}}
            > {"id":5,"method":"describe","params":{"path":"$a.i"}}
            < {"jsonrpc":"2.0","id":5,"result":{"kind":"int","type":"Any","weak":false,"computed":false,"readonly":false}}
            > {"id":6,"method":"describe","params":{"path":"$a.gone"}}
            < {"jsonrpc":"2.0","id":6,"result":{"kind":"null","type":"Any","weak":false,"computed":false,"readonly":false}}
            > {"id":7,"method":"describe","params":{"path":"$a.n.x"}}
            < {"jsonrpc":"2.0","id":7,"result":{"kind":"null","type":"Any","weak":false,"computed":false,"readonly":false,"nilAt":"$a.n"}}
            > {"id":8,"method":"link","params":{"path":"$a.w","target":"$a.m","weak":true}}
            < {"jsonrpc":"2.0","id":8,"result":{"revision":2,"changed":true}}
            > {"id":9,"method":"describe","params":{"path":"$a.w"}}
            < {"jsonrpc":"2.0","id":9,"result":{"kind":"model","type":"Any","instance":3,"weak":true,"computed":false,"readonly":false,"count":1,"properties":[{"name":"k","kind":"int","type":"Any","weak":false,"computed":false,"readonly":false}]}}
            > {"id":10,"method":"describe"}
            < {"jsonrpc":"2.0","id":10,"error":{"code":-32602,"message":"describe needs the param path"}}
            > {"id":11,"method":"describe","params":{"path":"a..b"}}
            < {"jsonrpc":"2.0","id":11,"error":{"code":-32602,"message":"the param path: component 2 of the key path is empty (an empty name is written \\e)"}}
            """#
        ),
        Transcript(
            "describe: the roots, status and ping",
            alone: true,
            #"""
            = a {"x":1}
            = b 5
            > {"id":1,"method":"describe","params":{"path":""}}
            < {"jsonrpc":"2.0","id":1,"result":{"kind":"model","type":"Any","weak":false,"computed":false,"readonly":true,"count":2,"properties":[{"name":"a","kind":"model","type":"Any","instance":1,"weak":false,"computed":false,"readonly":false},{"name":"b","kind":"int","type":"Any","weak":false,"computed":false,"readonly":false}]}}
            > {"id":2,"method":"status"}
            < {"jsonrpc":"2.0","id":2,"result":{"version":"\#(version)","capabilities":["at","batch","because","bind","bindings","choices","clients","computed","conditions","debounce","describe","dryRun","dump","explain","expressions","get","increment","insert","lifetime","link","load","merge","operators","origin","own","patterns","ping","remove","revert","rpc.discover","set","since","status","subscribe","tag","throttle","transaction","types","unbind","unsubscribe","upgrade","whole"],"epoch":"E","revision":2,"uptime":U,"connections":1,"subscriptions":0,"models":1,"bindings":0,"bindingsFailing":0,"bindingWritesFailed":0,"eventsSent":0,"eventsCoalesced":0,"overflowed":0,"outboxBytes":B,"limits":{"maxLineBytes":{"max":1048576},"maxOutboxBytes":{"max":16777216},"foldAfterBytes":{"max":65536},"maxRenderedBytes":{"max":1048576},"maxDepth":{"max":64},"maxMatches":{"max":65536},"maxElements":{"max":131072},"maxSubscriptions":{"max":65536},"maxOperations":{"max":16384},"maxBindings":{"max":4096,"used":0},"maxLifetimes":{"max":16384},"maxHistoryCommits":{"max":1000},"maxHistoryBytes":{"max":1048576},"maxConnections":{"max":16384,"used":1},"maxConnectionsPerUser":{"max":1024},"maxBufferedBytes":{"max":268435456,"used":U},"maxTreeBytes":{"max":1073741824,"used":U}}}}
            > {"id":3,"method":"ping"}
            < {"jsonrpc":"2.0","id":3,"result":{}}
            > {"id":4,"method":"subscribe","params":{"paths":["a.x","b"],"initial":false}}
            < {"jsonrpc":"2.0","id":4,"result":{"subscription":1,"revision":2,"epoch":"E","initial":0,"resumed":false}}
            > {"id":5,"method":"status"}
            < {"jsonrpc":"2.0","id":5,"result":{"version":"\#(version)","capabilities":["at","batch","because","bind","bindings","choices","clients","computed","conditions","debounce","describe","dryRun","dump","explain","expressions","get","increment","insert","lifetime","link","load","merge","operators","origin","own","patterns","ping","remove","revert","rpc.discover","set","since","status","subscribe","tag","throttle","transaction","types","unbind","unsubscribe","upgrade","whole"],"epoch":"E","revision":2,"uptime":U,"connections":1,"subscriptions":1,"models":1,"bindings":0,"bindingsFailing":0,"bindingWritesFailed":0,"eventsSent":0,"eventsCoalesced":0,"overflowed":0,"outboxBytes":B,"limits":{"maxLineBytes":{"max":1048576},"maxOutboxBytes":{"max":16777216},"foldAfterBytes":{"max":65536},"maxRenderedBytes":{"max":1048576},"maxDepth":{"max":64},"maxMatches":{"max":65536},"maxElements":{"max":131072},"maxSubscriptions":{"max":65536},"maxOperations":{"max":16384},"maxBindings":{"max":4096,"used":0},"maxLifetimes":{"max":16384},"maxHistoryCommits":{"max":1000},"maxHistoryBytes":{"max":1048576},"maxConnections":{"max":16384,"used":1},"maxConnectionsPerUser":{"max":1024},"maxBufferedBytes":{"max":268435456,"used":U},"maxTreeBytes":{"max":1073741824,"used":U}}}}
            > {"id":6,"method":"get","params":{"path":"observed.connections"}}
            < {"jsonrpc":"2.0","id":6,"result":{"value":1,"revision":2}}
            > {"id":7,"method":"get","params":{"path":"observed.subscriptions"}}
            < {"jsonrpc":"2.0","id":7,"result":{"value":1,"revision":2}}
            > {"id":8,"method":"get","params":{"path":"observed.nothing"}}
            < {"jsonrpc":"2.0","id":8,"result":{"value":null,"revision":2}}
            > {"id":9,"method":"get","params":{"path":"observed.version.x"}}
            < {"jsonrpc":"2.0","id":9,"result":{"value":null,"nilAt":"observed.version","revision":2}}
            > {"id":11,"method":"get","params":{"path":"observed.capabilities.@count"}}
            < {"jsonrpc":"2.0","id":11,"result":{"value":42,"revision":2}}
            > {"id":12,"method":"describe","params":{"path":"observed.overflowed"}}
            < {"jsonrpc":"2.0","id":12,"result":{"kind":"int","type":"Any","weak":false,"computed":false,"readonly":true}}
            > {"id":10,"method":"status","params":{"verbose":true}}
            < {"jsonrpc":"2.0","id":10,"error":{"code":-32602,"message":"status has no param verbose"}}
            """#
        ),
    ]
}
