// SPDX-License-Identifier: MIT
// Transcripts of refusals.

extension Transcript {
    static let refusals: [Transcript] = [
        Transcript(
            "paths that are none",
            #"""
            = $a {}
            > {"id":0,"method":"get","params":{"path":""}}
            < {"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"the param path: the key path is empty"}}
            > {"id":1,"method":"get","params":{"path":"$a."}}
            < {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"the param path: component 2 of the key path is empty (an empty name is written \\e)"}}
            > {"id":2,"method":"get","params":{"path":".$a"}}
            < {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"the param path: component 1 of the key path is empty (an empty name is written \\e)"}}
            > {"id":3,"method":"get","params":{"path":"$a..b"}}
            < {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"the param path: component 2 of the key path is empty (an empty name is written \\e)"}}
            > {"id":4,"method":"get","params":{"path":"$a.\\"}}
            < {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"the param path: the key path ends in a backslash that escapes nothing"}}
            > {"id":5,"method":"get","params":{"path":[]}}
            < {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"the param path: the key path is empty"}}
            > {"id":6,"method":"get","params":{"path":["$a",""]}}
            < {"jsonrpc":"2.0","id":6,"result":{"value":null,"revision":1}}
            > {"id":7,"method":"get","params":{"path":["$a",true]}}
            < {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"the param path: component 2 of the key path is neither a string nor an integer"}}
            > {"id":8,"method":"get","params":{"path":["$a",1.5]}}
            < {"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"the param path: component 2 of the key path is neither a string nor an integer"}}
            > {"id":9,"method":"get","params":{"path":5}}
            < {"jsonrpc":"2.0","id":9,"error":{"code":-32602,"message":"the param path: a key path is a string, or an array of strings and integers"}}
            > {"id":10,"method":"get","params":{"path":null}}
            < {"jsonrpc":"2.0","id":10,"error":{"code":-32602,"message":"the param path: a key path is a string, or an array of strings and integers"}}
            > {"id":11,"method":"get","params":{"path":{}}}
            < {"jsonrpc":"2.0","id":11,"error":{"code":-32602,"message":"the param path: a key path is a string, or an array of strings and integers"}}
            > {"id":12,"method":"get","params":{"path":"$a.*"}}
            < {"jsonrpc":"2.0","id":12,"error":{"code":-32602,"message":"the param path is one key path, not a pattern; a name that is a star is written \\*"}}
            > {"id":13,"method":"get","params":{"path":"$a.**"}}
            < {"jsonrpc":"2.0","id":13,"error":{"code":-32602,"message":"the param path is one key path, not a pattern; a name that is a star is written \\*"}}
            > {"id":14,"method":"get","params":{"path":"**"}}
            < {"jsonrpc":"2.0","id":14,"error":{"code":-32602,"message":"the param path is one key path, not a pattern; a name that is a star is written \\*"}}
            > {"id":17,"method":"get","params":{"path":"$a.@nope"}}
            < {"jsonrpc":"2.0","id":17,"error":{"code":-32602,"message":"the param path: @nope is not a collection operator (a name that begins with @ is written \\@nope)"}}
            > {"id":50,"method":"get"}
            < {"jsonrpc":"2.0","id":50,"error":{"code":-32602,"message":"get needs the param path"}}
            > {"id":51,"method":"get","params":{"path":"$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a.$a"}}
            < {"jsonrpc":"2.0","id":51,"error":{"code":6,"message":"the param path: the key path has more than 64 components","data":{"name":"limitExceeded"}}}
            > {"id":52,"method":"get","params":{"path":["$a",-1]}}
            < {"jsonrpc":"2.0","id":52,"result":{"value":null,"revision":1}}
            """#
        ),
        Transcript(
            "params that are unknown, missing or of another type",
            #"""
            = $a {"x":1}
            > {"id":1,"method":"get","params":{"path":"$a","extra":1}}
            < {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"get has no param extra"}}
            > {"id":2,"method":"set","params":{"path":"$a.x"}}
            < {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"set needs the param value"}}
            > {"id":3,"method":"set","params":{"value":1}}
            < {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"set needs the param path"}}
            > {"id":4,"method":"set","params":{"path":"$a.x","value":1,"parents":1}}
            < {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"the param parents is true or false"}}
            > {"id":5,"method":"set","params":{"path":"$a.x","value":1,"ifRevision":-1}}
            < {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"the param ifRevision is a revision: an integer that is not negative"}}
            > {"id":6,"method":"set","params":{"path":"$a.x","value":1,"ifRevision":"1"}}
            < {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"the param ifRevision is a revision: an integer that is not negative"}}
            > {"id":7,"method":"link","params":{"path":"$a.l","target":"$a","weak":"yes"}}
            < {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"the param weak is true or false"}}
            > {"id":8,"method":"subscribe"}
            < {"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"subscribe needs the param path or the param paths, and not both"}}
            > {"id":9,"method":"subscribe","params":{"path":"$a","paths":["$a"]}}
            < {"jsonrpc":"2.0","id":9,"error":{"code":-32602,"message":"subscribe needs the param path or the param paths, and not both"}}
            > {"id":10,"method":"subscribe","params":{"paths":[]}}
            < {"jsonrpc":"2.0","id":10,"error":{"code":-32602,"message":"the param paths is an array of at least one key path"}}
            > {"id":11,"method":"subscribe","params":{"paths":"$a"}}
            < {"jsonrpc":"2.0","id":11,"error":{"code":-32602,"message":"the param paths is an array of at least one key path"}}
            > {"id":12,"method":"subscribe","params":{"path":"$a","initial":1}}
            < {"jsonrpc":"2.0","id":12,"error":{"code":-32602,"message":"the param initial is true or false"}}
            > {"id":13,"method":"subscribe","params":{"path":"$a","delivery":"fast"}}
            < {"jsonrpc":"2.0","id":13,"error":{"code":-32602,"message":"the param delivery is \"latest\" or \"every\""}}
            > {"id":14,"method":"subscribe","params":{"path":"$a","throttle":-1}}
            < {"jsonrpc":"2.0","id":14,"error":{"code":-32602,"message":"the param throttle is a number of milliseconds that is not negative"}}
            > {"id":15,"method":"subscribe","params":{"path":"$a","debounce":"1"}}
            < {"jsonrpc":"2.0","id":15,"error":{"code":-32602,"message":"the param debounce is a number of milliseconds that is not negative"}}
            > {"id":16,"method":"subscribe","params":{"path":"$a","what":1}}
            < {"jsonrpc":"2.0","id":16,"error":{"code":-32602,"message":"subscribe has no param what"}}
            > {"id":17,"method":"get","params":["$a"]}
            < {"jsonrpc":"2.0","id":17,"error":{"code":-32602,"message":"params are given by name, in an object"}}
            > {"id":18,"method":"get","params":"$a"}
            < {"jsonrpc":"2.0","id":18,"error":{"code":-32600,"message":"params are an object"}}
            > {"id":19,"method":"remove","params":{"path":"$a.x","parents":true}}
            < {"jsonrpc":"2.0","id":19,"error":{"code":-32602,"message":"remove has no param parents"}}
            > {"id":20,"method":"set","params":{"path":"$a.y","value":-1e-400}}
            < {"jsonrpc":"2.0","id":20,"error":{"code":-32602,"message":"a number must not round to zero; -1e-400 does"}}
            > {"id":21,"method":"set","params":{"path":"$a.y","value":{"ok":{"":[2e-324]}}}}
            < {"jsonrpc":"2.0","id":21,"error":{"code":-32602,"message":"a number must not round to zero; 2e-324 does"}}
            > {"id":22,"method":"get","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":22,"result":{"value":{"x":1},"revision":1}}
            """#
        ),
        Transcript(
            "a method that is none, and params as they are by themselves",
            #"""
            = $a {"x":1,"r":[1]}
            > {"id":22,"method":"rpc.describe"}
            < {"jsonrpc":"2.0","id":22,"error":{"code":-32601,"message":"method not found: rpc.describe"}}
            > {"id":23,"method":"subscribe","params":{"path":"$a.x","own":true,"origin":false,"throttle":0,"debounce":0,"delivery":"latest"}}
            < {"jsonrpc":"2.0","id":23,"result":{"subscription":1,"revision":1,"epoch":"E","initial":1,"resumed":false}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"initial","new":1,"revision":1}}
            > {"id":24,"method":"set","params":{"path":"$a.x","value":2,"lifetime":"permanent"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"valueChanged","new":2,"revision":2}}
            < {"jsonrpc":"2.0","id":24,"result":{"revision":2,"changed":true}}
            """#
        ),
        Transcript(
            "the daemon's own root",
            #"""
            = $a {"x":{}}
            > {"id":1,"method":"set","params":{"path":"observed.x","value":1}}
            < {"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"the root observed is the daemon's own and can't be written","data":{"name":"readOnly","path":"observed.x"}}}
            > {"id":2,"method":"set","params":{"path":"observed","value":1}}
            < {"jsonrpc":"2.0","id":2,"error":{"code":3,"message":"the root observed is the daemon's own and can't be written","data":{"name":"readOnly","path":"observed"}}}
            > {"id":3,"method":"set","params":{"path":"observed.x.y","value":1,"parents":true}}
            < {"jsonrpc":"2.0","id":3,"error":{"code":3,"message":"the root observed is the daemon's own and can't be written","data":{"name":"readOnly","path":"observed.x.y"}}}
            > {"id":4,"method":"remove","params":{"path":"observed"}}
            < {"jsonrpc":"2.0","id":4,"error":{"code":3,"message":"the root observed is the daemon's own and can't be written","data":{"name":"readOnly","path":"observed"}}}
            > {"id":5,"method":"remove","params":{"path":"observed.version"}}
            < {"jsonrpc":"2.0","id":5,"error":{"code":3,"message":"the root observed is the daemon's own and can't be written","data":{"name":"readOnly","path":"observed.version"}}}
            > {"id":6,"method":"link","params":{"path":"observed.l","target":"$a.x"}}
            < {"jsonrpc":"2.0","id":6,"error":{"code":3,"message":"the root observed is the daemon's own and can't be written","data":{"name":"readOnly","path":"observed.l"}}}
            > {"id":7,"method":"link","params":{"path":"$a.l","target":"observed"}}
            < {"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"observed is null: a link needs a model","data":{"name":"notFound","path":"observed"}}}
            > {"id":10,"method":"get","params":{"path":"observed.revision.x"}}
            < {"jsonrpc":"2.0","id":10,"result":{"value":null,"nilAt":"observed.revision","revision":1}}
            > {"id":11,"method":"set","params":{"path":"$a.observed","value":1}}
            < {"jsonrpc":"2.0","id":11,"result":{"revision":2,"changed":true}}
            > {"id":12,"method":"get","params":{"path":"$a.observed"}}
            < {"jsonrpc":"2.0","id":12,"result":{"value":1,"revision":2}}
            """#
        ),
        Transcript(
            "nothing is left of a write that is refused",
            #"""
            = $a {"x":1}
            > {"id":1,"method":"subscribe","params":{"paths":["$a.x","$a.m"],"initial":false}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":0,"resumed":false}}
            > {"id":2,"method":"set","params":{"path":"$a.m","value":{"k":{"j":1},"big":1e999}}}
            < {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"a number must be finite; 1e999 is not"}}
            > {"id":3,"method":"set","params":{"path":"$a.p.q.r","value":1e999,"parents":true}}
            < {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"a number must be finite; 1e999 is not"}}
            > {"id":4,"method":"subscribe","params":{"paths":["$a.x","$a..y"]}}
            < {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"the param paths: component 2 of the key path is empty (an empty name is written \\e)"}}
            > {"id":5,"method":"get","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":5,"result":{"value":{"x":1},"revision":1}}
            > {"id":6,"method":"subscribe","params":{"path":"$a.x","initial":false}}
            < {"jsonrpc":"2.0","id":6,"result":{"subscription":2,"revision":1,"epoch":"E","initial":0,"resumed":false}}
            """#
        ),
    ]
}
