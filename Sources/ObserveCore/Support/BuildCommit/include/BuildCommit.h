// SPDX-License-Identifier: MIT
// The commit of a build. Package.swift defines it, so a new commit compiles one small file.
#pragma once

/// The commit, shortened, with a plus sign if files differ from it; empty without git.
const char *_Nonnull build_commit(void);
