// SPDX-License-Identifier: MIT
// The Linux calls that Swift's Glibc module leaves out. Headers and inline helpers only: nothing is compiled.
#pragma once
#define _GNU_SOURCE 1
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>
