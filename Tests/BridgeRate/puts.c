// SPDX-License-Identifier: MIT
// Puts into a JetStream key-value bucket with a window of unacknowledged ones, as fast as one connection can. Readers take
// each value, as bridges do.
//
//     puts PORT BUCKET COUNT WINDOW READERS       prints the seconds until all is acknowledged and read
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_READERS = 8 };

static void fail(const char *what) { perror(what), exit(1); }

static void put_all(int end, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = write(end, bytes, count);
        if (sent <= 0) fail("write");
        bytes += sent, count -= (size_t)sent;
    }
}

static int connected(unsigned short port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    int end = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    if (connect(end, (struct sockaddr *)&address, sizeof address)) fail("connect");
    setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    const char *hello = "CONNECT {\"verbose\":false,\"headers\":true}\r\n";
    put_all(end, hello, strlen(hello));
    return end;
}

// Counts how often a text that begins with its only '$' occurs in a stream of bytes.
struct counter { const char *text; size_t matched; long found; };

static void count(struct counter *counter, const char *bytes, ssize_t length) {
    for (ssize_t index = 0; index < length; index++) {
        if (bytes[index] != counter->text[counter->matched]) counter->matched = bytes[index] == counter->text[0];
        else if (!counter->text[++counter->matched]) counter->matched = 0, counter->found++;
    }
}

static char in[1 << 18], out[1 << 18];

static void take(int end, struct counter *counter) {
    ssize_t got = read(end, in, sizeof in);
    if (got <= 0) fail("read");
    count(counter, in, got);
}

static int reader(unsigned short port, const char *bucket, int number) {
    int end = connected(port), length = snprintf(in, sizeof in,
        "{\"stream_name\":\"KV_%s\",\"config\":{\"deliver_subject\":\"taken.%d\",\"ack_policy\":\"none\","
        "\"deliver_policy\":\"new\",\"mem_storage\":true}}", bucket, number);
    length = snprintf(out, sizeof out, "SUB taken.%d 1\r\nSUB made.%d 2\r\nPUB $JS.API.CONSUMER.CREATE.KV_%s made.%d %d\r\n%s\r\n",
        number, number, bucket, number, length, in);
    put_all(end, out, (size_t)length);
    // The text of a refusal has no such member.
    struct counter made = {.text = "\"num_pending\""};
    while (!made.found) take(end, &made);
    return end;
}

int main(int count_of_words, char **words) {
    if (count_of_words != 6) return 2;
    unsigned short port = (unsigned short)atoi(words[1]);
    long total = atol(words[3]), window = atol(words[4]), readers = atol(words[5]);
    if (readers > MOST_READERS) return 2;
    struct pollfd ends[MOST_READERS + 1] = {{.fd = connected(port), .events = POLLIN}};
    struct counter counters[MOST_READERS + 1] = {{.text = "\"seq\""}};
    for (int index = 1; index <= readers; index++) {
        ends[index] = (struct pollfd){.fd = reader(port, words[2], index), .events = POLLIN};
        counters[index] = (struct counter){.text = "$JS.ACK."};
    }
    put_all(ends[0].fd, "SUB reply.* 1\r\n", 15);
    struct timespec began, ended;
    clock_gettime(CLOCK_MONOTONIC, &began);
    for (long sent = 0, waits = 1; waits;) {
        size_t length = 0;
        while (sent < total && sent - counters[0].found < window && length < sizeof out - 300) {
            char value[32];
            int size = snprintf(value, sizeof value, "%ld", sent);
            length += (size_t)snprintf(out + length, 300, "PUB $KV.%s.puts.k%ld reply.%ld %d\r\n%s\r\n", words[2], sent, sent, size, value);
            sent++;
        }
        put_all(ends[0].fd, out, length);
        poll(ends, (nfds_t)readers + 1, -1);
        waits = 0;
        for (int index = 0; index <= readers; index++) {
            if (ends[index].revents) take(ends[index].fd, &counters[index]);
            waits |= counters[index].found < total;
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &ended);
    printf("%.6f\n", (double)(ended.tv_sec - began.tv_sec) + (double)(ended.tv_nsec - began.tv_nsec) / 1e9);
    return 0;
}
