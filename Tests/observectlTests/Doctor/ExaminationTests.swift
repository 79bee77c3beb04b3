// SPDX-License-Identifier: MIT
// The commands that doctor names, where no end-to-end test can make the fault.

import Testing

@testable import observectl

struct ExaminationTests {
    @Test(
        arguments: [
            "/usr": "sudo dpkg -i observed_*.deb", "/usr/local": "make install PREFIX=/usr/local",
            "/home/a b": "make install PREFIX='/home/a b'",
        ]
    )
    func `a package is installed again as a package`(prefix: String, command: String) {
        #expect(Examination.install(prefix) == command)
    }
}
