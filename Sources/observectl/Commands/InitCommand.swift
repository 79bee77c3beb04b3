// SPDX-License-Identifier: MIT
// `observectl init`: a smallest configuration, and the commands that come next. Independent of a running daemon.

import ObserveCore

extension CommandSpec {
    /// The command `init`, which is a word of the language.
    static let initialize = CommandSpec(
        usage: "init",
        summary: "write a smallest configuration, and print the commands that come next",
        asksDaemon: false,
        details: """
            The configuration is observed/observed.json in $XDG_CONFIG_HOME, which is ~/.config by default. It
            has one model, with one value. If the file exists, the command changes nothing, and the status is 1.

            The three commands start a daemon, watch the value and change it. If the service manager has the
            units, the first one makes the daemon a service. If a daemon runs, it reads the configuration.

            Example:
              observectl init
            """
    ) { (invocation) throws(CommandError) in
        let path = try invocation.writeConfiguration()
        invocation.process.report("wrote \(path)")
        for command in try invocation.nextCommands() { try invocation.print(command.bytes) }
    }
}

private extension Invocation {
    static let configuration = """
        {
          "models": {
            "app": { "value": { "volume": 50 } }
          }
        }

        """

    func writeConfiguration() throws(CommandError) -> String {
        guard let path = UserFolder.configuration(process.environment)
        else {
            let fault = "neither HOME nor XDG_CONFIG_HOME names a folder for the configuration"
            throw .failed("\(fault): set HOME to the path of your home folder")
        }
        try attemptInput(Platform.makeFolder(Path.folder(of: path)))
        let text = Invocation.configuration.bytes
        // Others may read it, as other configurations; the daemon refuses one that they can write.
        let isMade = try attemptInput(Platform.makeFile(path, text, mode: 0o644))
        guard isMade else { throw .failed("\(path) exists; it was left as it is") }
        return path
    }

    func nextCommands() throws(CommandError) -> [String] {
        let places = try attemptInput(Surroundings(process, socket: nil))
        let units = places.units()
        var start = places.startCommand(units)
        let listener = places.listener
        if let manager = places.manager, listener != nil, let service = units?.service, service.isActive {
            start = "\(manager.joined(separator: " ")) reload \(service.name)"
        } else if let listener {
            if places.configuration.map(listener.reads) == true {
                start = "kill -HUP \(listener.pid)"
            } else {
                process.report("process \(listener.pid) serves another configuration; end it first")
            }
        }
        return [
            start, "observectl subscribe app.volume &",
            "observectl wait app.volume && observectl set app.volume 60",
        ]
    }
}
