// SPDX-License-Identifier: MIT
// The names that other programs have for commands of this one. Independent of the table of commands.

/// Commands that people type because another program has them. They are offered the one to write.
enum ForeignCommand {
    /// The command, and the names.
    private static let offers = """
        remove: del delete unset erase drop clear destroy hdel unlink
        set: put write assign store create make new hset setenv define replace
        get: read show cat print fetch value hget hgetall mget query echo getenv
        get --exists: exists has test
        ls: list keys dir ll roots scan children names nodes ls-tree
        subscribe: monitor sub listen observe tail stream follow events psubscribe on
        publish: pub emit push-lines share
        merge: patch update modify change extend
        insert: append push add rpush lpush prepend
        increment: incr inc incrby plus
        increment PATH -1: decr dec decrement decrby minus
        transaction: multi batch tx txn atomic begin
        log: history changes journal audit last
        revert: undo rollback rewind
        diff: compare delta
        toggle: flip switch invert
        edit: vi vim nano
        dump: export backup save bgsave
        load: import restore
        describe: type schema introspect
        explain: inspect trace blame
        call: rpc request send invoke method
        status: info stat stats health uptime limits
        clients: connections sessions ps who peers
        exec: run trigger on-change entr do
        hold: lock lease inhibit override
        wait: until await wait-for watch-until
        link: ln alias ref symlink
        plot: graph chart draw
        bench: benchmark
        upgrade: restart reexec
        help: man usage commands
        --version: version
        """

    /// Commands of other programs that this one lacks, behind what does the same. A name that looks alike does something else.
    private static let lacking = """
        'get' and 'set' copy a value, and 'link' gives a model a second path: copy cp
        'link' gives a model a second path, and 'remove' removes the first: move mv rename
        'get' prints an element, and 'remove' removes it: pop
        'observed' starts a daemon, and 'observectl doctor' says how the service manager does: start
        a signal ends the daemon, or the service manager that started it: exit kill quit shutdown stop
        SIGHUP makes the daemon read its configuration again: reload rehash
        """

    /// What to do in place of a command that this one lacks; nil for other names.
    static func remark(on name: String) -> String? { line(of: name, in: lacking) }

    /// What to write instead of the name; nil for a name that no other program has.
    static func offer(for name: String) -> String? { line(of: name, in: offers) }

    private static func line(of name: String, in table: String) -> String? {
        let name = name.lowercased()
        let lines = table.split(separator: "\n").map { $0.split(separator: ": ") }
        return lines.first { $0[1].split(separator: " ").contains(name[...]) }.map { String($0[0]) }
    }
}
