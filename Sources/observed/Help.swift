// SPDX-License-Identifier: MIT
// The text of `observed --help`.

package let help = """
    Usage: observed [options]
           observed --check-config FILE

    Serves observable models on a Unix socket, in the foreground. Clients talk JSON-RPC 2.0, one message a line;
    observectl is one of them.

    Options:
      --socket PATH        where to listen; else $OBSERVED_SOCKET, else $XDG_RUNTIME_DIR/observed.sock,
                           else /tmp/observed-UID/observed.sock
      --config FILE|none   the models to begin with; else $XDG_CONFIG_HOME/observed/observed.json
                           (~/.config/observed/observed.json) if it exists. none: an empty tree
      --state DIR|none     where models persist; else $XDG_STATE_HOME/observed (~/.local/state/observed).
                           none: nothing persists
      --adapt              drops or resets what does not fit changed types, after saving a dump beside the state
      --salvage            keeps the commits before the damage, if a journal is damaged, and a copy of the file
      --log-level LEVEL    error, warning, info (the default) or debug, on standard error
      --check-config FILE  prints the faults of a configuration, and does not start
      --check-state        prints why a start with the other options could not use the state, and does not start.
                           It changes nothing, and is for a state that no daemon uses
      --check-upgrade      reads the tree of a running daemon from standard input, checks that it can continue
                           with it under the other options, and does not start: the first step of an upgrade
      --version            prints the version
      --help               prints this

    Signals: SIGTERM and SIGINT end it cleanly; a second one ends it at once.
    SIGHUP reads the configuration again. SIGUSR2 starts the program that is installed now, in the same process:
    it gets the tree and the socket, and no client misses a change.

    Exit status: 0 ended cleanly, 1 the socket or the configuration is at fault, 2 the command line is.
    """
