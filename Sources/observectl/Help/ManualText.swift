// SPDX-License-Identifier: MIT
// The parts of the manual page that are not about one command, in mdoc with inline macros: `{Ql word}`.

enum ManualText {
    static let opening = #"""
        .\" SPDX-License-Identifier: MIT
        .\" Made from the table of commands by `make manual`: do not edit.
        .Dd November 23, 2026
        .Dt OBSERVECTL 1
        .Os
        .Sh NAME
        .Nm observectl
        .Nd watch, read and write the model trees of observed
        .Sh SYNOPSIS
        .Nm
        .Op Fl -socket Ar path
        .Op Fl -timeout Ar time
        .Ar command
        .Op Ar argument ...
        .Nm
        .Cm help
        .Op Ar command
        .Nm
        .Fl -help | Fl -version
        .Sh DESCRIPTION
        {Nm} talks to a running {Xr observed 8} over its Unix socket.
        Key paths name the values in the daemon's trees.
        A key path is a list of components joined by dots, as in
        {Ql app.playbackController.player.videoTitle}.
        The first component names a root model.
        A backslash makes the next character part of a name: {Ql home.living\e.room}.
        An empty name is {Ql \ee}.
        .Pp
        The paths of other programs are refused, and the message offers the right one: {Ql arr[0]},
        {Ql home/mode}, {Ql r.>}, {Ql r.#} and {Ql r.on*}.
        A backslash says that such a name is meant: {Ql packages.node_modules\e/x}.
        The paths that commands print have these backslashes.
        Before a value, {Ql app.volume:} and {Ql app.volume=} are refused as well.
        Commands print no backslash in these.
        .Pp
        The commands are:
        """#

    static let conventions = #"""
        .Pp
        Unless a command says otherwise, options may come before, between and after its operands.
        {Ql --} ends them, with all commands: an operand that begins with a dash comes after it.
        The value of an option is the next argument, or follows after {Ql =}.
        Letters may share a dash, and a value may follow its letter, as in {Ql \-rn1}.
        No option may be given twice.
        .Sh TIMES
        A {Ar time} is in seconds, or has a unit: {Ql 200ms}, {Ql 2s}, {Ql 25m}, {Ql 1h30m}, {Ql 1d}.
        Only {Fl -throttle}, {Fl -debounce} and {Fl -lifetime}
        need the unit, since a bare number was in milliseconds once.
        {Fl -since} of {Cm log} and {Cm plot} also takes the most recent {Ql 14:00}, and {Ql 2026-01-31},
        {Ql 2026-01-31T14:00} or the same with {Ql Z} or an offset.
        It refuses seconds since 1970.
        .Pp
        Times of day are local, as {Ev TZ} says, and those of JSON in UTC.
        With {Fl -utc} all are in UTC.
        Times that the daemon keeps are whole milliseconds.
        .Sh LIFETIMES
        A {Ar lifetime} is {Cm connection}, a time in whole milliseconds, or {Cm permanent},
        which is the same as none.
        .Pp
        With {Cm connection} the command keeps its connection, and the value lasts as long as the connection:
        .Bl -bullet -compact
        .It
        until a signal ends the command, even SIGKILL;
        .It
        until the daemon ends, with status 69;
        .It
        until the time of {Fl -timeout} is over, with 124.
        .El
        .Pp
        With a time the command ends at once, and the value expires that much later.
        .Pp
        The property's earlier value then shows again, unless the property was written to since.
        Temporary values shadow each other; each can expire before the others.
        A root that is set so is gone when its value expires.
        .Sh VALUES
        A {Ar value} is JSON.
        The command reads text that is not JSON as a string, so {Ql observectl set light.state on} works.
        But if such text begins like an object, an array or a string, with
        .Ql { ,
        {Ql \&[} or {Ql \(dq},
        also behind comments or a byte order mark, the command refuses it with status 2.
        The command passes numbers on as they are written.
        The daemon refuses numbers that do not fit 64 bits, with status 1.
        .Pp
        {Ql -} reads the value from standard input, up to its end, by the same rules.
        A line feed at the very end is left out, with {Fl -string} too.
        So the output of {Xr echo 1} and of {Cm get Fl -raw} is read as it was.
        The string of one dash is written {Ql \(aq\(dq-\(dq\(aq}.
        .Sh ENVIRONMENT
        .Bl -tag -width XDG_RUNTIME_DIR
        .It Ev OBSERVED_SOCKET
        The daemon's socket, if {Fl -socket} does not name it.
        .It Ev XDG_RUNTIME_DIR
        The folder that holds {Pa observed.sock}, if neither names it.
        .El
        .Sh FILES
        .Bl -tag -width Ds
        .It Pa /tmp/observed-UID/observed.sock
        The daemon's socket if nothing else names it.
        It is not used if the folder belongs to another user, or if others may write to it.
        .El
        """#

    /// After the exit statuses of the table.
    static let closing = #"""
        .It 128+n
        Ended by signal n: the process really dies by it, so that a shell's loop ends too.
        141 is SIGPIPE: the output has no reader any more.
        .El
        .Sh EXAMPLES
        Watch a title, even if the player is replaced:
        .Pp
        .Dl observectl subscribe app.playbackController.player.videoTitle
        .Pp
        Act on each change of it:
        .Bd -literal -offset indent
        observectl subscribe --raw app.playbackController.player.videoTitle |
        while IFS= read -r title; do notify-send "$title"; done
        .Ed
        .Pp
        Set another player, and then none:
        .Bd -literal -offset indent
        observectl set app.playbackController.player '{"videoTitle": "Metropolis"}'
        observectl set app.playbackController.player null
        .Ed
        .Pp
        Change several things at once:
        .Bd -literal -offset indent
        observectl transaction <<'END'
        {"method": "increment", "params": {"path": "app.volume", "by": 5}}
        {"method": "insert", "params": {"path": "library.films", "value": {"title": "Alien"}}}
        END
        .Ed
        .Pp
        Copy everything to another daemon:
        .Bd -literal -offset indent
        observectl dump > state.jsonl
        observectl --socket /run/user/1000/other.sock load state.jsonl
        .Ed
        .Pp
        Wait at most ten seconds for a lamp to change:
        .Pp
        .Dl observectl subscribe --no-initial --count 1 --timeout 10 home.lamp
        .Sh SEE ALSO
        {Xr jq 1}, {Xr observed 8}
        """#
}
