// SPDX-License-Identifier: MIT
#include "BuildCommit.h"

#define TEXT_OF(words) #words
#define TEXT(macro) TEXT_OF(macro)

const char *build_commit(void) { return TEXT(BUILD_COMMIT); }
