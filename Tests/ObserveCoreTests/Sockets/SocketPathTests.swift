// SPDX-License-Identifier: MIT
// The default socket path, and which folders are refused.

import Glibc
import ObserveCore
import Testing

struct SocketPathTests {
    @Test(
        arguments: [
            ("/o", ["OBSERVED_SOCKET": "/e", "XDG_RUNTIME_DIR": "/r"], "/o"),
            ("here", [:], "here"),
            (nil, ["OBSERVED_SOCKET": "/e", "XDG_RUNTIME_DIR": "/r"], "/e"),
            (nil, ["OBSERVED_SOCKET": "", "XDG_RUNTIME_DIR": "/r"], "/r/observed.sock"),
            (nil, ["XDG_RUNTIME_DIR": "/r/"], "/r/observed.sock"),
            (nil, ["XDG_RUNTIME_DIR": ""], nil),
            (nil, ["XDG_RUNTIME_DIR": "relative"], nil),
            (nil, [:], nil),
        ] as [(String?, [String: String], String?)]
    )
    func `the first setting counts`(
        _ option: String?,
        _ variables: [String: String],
        _ expected: String?
    ) throws {
        try withFolder { folder in
            let path = try SocketPath.resolve(
                option: option,
                environment: { variables[$0] },
                uid: Platform.uid,
                makesFolder: true,
                temporaryFolder: folder
            )
            #expect(path == expected ?? "\(folder)/observed-\(Platform.uid)/observed.sock")
            #expect(try names(in: folder) == (expected == nil ? ["observed-\(Platform.uid)"] : []))
        }
    }

    @Test func `an empty option is refused`() {
        #expect(throws: SocketError.pathEmpty) { try resolve(option: "", in: "/nowhere", makesFolder: true) }
    }

    @Test func `the daemon creates a private folder, and a client does not`() throws {
        try withFolder { folder in
            let own = "\(folder)/observed-\(Platform.uid)"
            let before = try (resolve(in: folder, makesFolder: false), names(in: folder))
            #expect(before == ("\(own)/observed.sock", []))
            for makesFolder in [true, true, false] {
                let path = try resolve(in: folder, makesFolder: makesFolder)
                #expect(path == "\(own)/observed.sock")
            }
            #expect(permissions(own) == 0o700)
        }
    }

    @Test(arguments: [false, true])
    func `a folder of another user is refused`(makesFolder: Bool) throws {
        try withFolder { folder in
            let stranger = Platform.uid + 1
            let planted = "\(folder)/observed-\(stranger)"
            try Platform.makeFolder(planted)
            #expect(throws: SocketError.folderOfAnotherUser(planted, owner: Platform.uid)) {
                try resolve(in: folder, makesFolder: makesFolder, uid: stranger)
            }
        }
    }

    @Test(arguments: [(0o700, true), (0o755, true), (0o720, false), (0o702, false), (0o1777, false)])
    func `a folder that others can write is refused`(mode: mode_t, isTrusted: Bool) throws {
        try withFolder { folder in
            let own = "\(folder)/observed-\(Platform.uid)"
            try Platform.makeFolder(own)
            try #require(unsafe chmod(own, mode) == 0)
            for makesFolder in [false, true] {
                if isTrusted {
                    #expect(try resolve(in: folder, makesFolder: makesFolder) == own + "/observed.sock")
                } else {
                    #expect(throws: SocketError.folderWritableByOthers(own, mode: UInt32(mode))) {
                        try resolve(in: folder, makesFolder: makesFolder)
                    }
                }
            }
            #expect(permissions(own) == UInt32(mode))
        }
    }

    @Test(arguments: [false, true])
    func `a link or a file is not a folder`(isLink: Bool) throws {
        try withFolder { folder in
            let own = "\(folder)/observed-\(Platform.uid)"
            try Platform.makeFolder(folder + "/real")
            if isLink { try #require(unsafe symlink(folder + "/real", own) == 0) } else { try makeFile(own) }
            for makesFolder in [false, true] {
                #expect(throws: SocketError.notAFolder(own)) {
                    try resolve(in: folder, makesFolder: makesFolder)
                }
            }
        }
    }

    private func resolve(
        option: String? = nil,
        in folder: String,
        makesFolder: Bool,
        uid: UInt32 = Platform.uid
    ) throws -> String {
        try SocketPath.resolve(
            option: option,
            environment: { _ in nil },
            uid: uid,
            makesFolder: makesFolder,
            temporaryFolder: folder
        )
    }
}
