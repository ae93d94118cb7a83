#include "Baseline.h"

#include <nats/nats.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(natsStatus status, const char *what) {
    if (status == NATS_OK) return;
    fprintf(stderr, "%s: %s\n", what, natsStatus_GetText(status));
    exit(2);
}

static natsConnection *join(const char *address) {
    natsConnection *connection = NULL;
    must(natsConnection_ConnectTo(&connection, address), address);
    return connection;
}

static void count_one(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *counter) {
    natsMsg_Destroy(message);
    atomic_fetch_add((atomic_int *)counter, 1);
}

static natsSubscription *subscribe(natsConnection *connection, const char *subject, atomic_int *counter) {
    natsSubscription *subscription = NULL;
    must(natsConnection_Subscribe(&subscription, connection, subject, count_one, counter), "subscribe");
    must(natsSubscription_SetPendingLimits(subscription, -1, -1), "limits");
    must(natsConnection_Flush(connection), "flush");
    return subscription;
}

int64_t baseline_round(const char *address, int count, int size) {
    atomic_int counter = 0;
    natsConnection *sender = join(address), *receiver = join(address);
    natsSubscription *subscription = subscribe(receiver, "baseline", &counter);
    void *bytes = calloc(1, size);
    int64_t start = nats_NowInNanoSeconds();
    for (int i = 0; i < count; i++) must(natsConnection_Publish(sender, "baseline", bytes, size), "publish");
    must(natsConnection_Flush(sender), "flush");
    while (atomic_load(&counter) < count) nats_Sleep(1);
    int64_t end = nats_NowInNanoSeconds();
    free(bytes);
    natsSubscription_Destroy(subscription);
    natsConnection_Destroy(sender);
    natsConnection_Destroy(receiver);
    return end - start;
}

void baseline_publish(const char *address, const char *subject, int count, const void *bytes, int size, int burst) {
    natsConnection *sender = join(address);
    for (int i = 0; i < count; i++) {
        must(natsConnection_Publish(sender, subject, bytes, size), "publish");
        if (burst > 0 && i % burst == burst - 1) nats_Sleep(1);
    }
    must(natsConnection_Flush(sender), "flush");
    natsConnection_Destroy(sender);
}

void baseline_publish_numbered(
    const char *address, const char *subject, int count, void *bytes, int size, int offset, int burst) {
    natsConnection *sender = join(address);
    for (int i = 0; i < count; i++) {
        uint64_t number = (uint64_t)i + 1;
        memcpy((char *)bytes + offset, &number, sizeof number);
        must(natsConnection_Publish(sender, subject, bytes, size), "publish");
        if (burst > 0 && i % burst == burst - 1) nats_Sleep(1);
    }
    must(natsConnection_Flush(sender), "flush");
    natsConnection_Destroy(sender);
}

void baseline_receive(const char *address, const char *subject, int count) {
    atomic_int counter = 0;
    natsConnection *receiver = join(address);
    natsSubscription *subscription = subscribe(receiver, subject, &counter);
    puts("ready");
    fflush(stdout);
    while (atomic_load(&counter) < count) nats_Sleep(5);
    natsSubscription_Destroy(subscription);
    natsConnection_Destroy(receiver);
}

void baseline_append(const char *address, const char *subject, int count, const void *bytes, int size) {
    natsConnection *sender = join(address);
    jsCtx *stream = NULL;
    jsOptions options;
    jsOptions_Init(&options);
    options.PublishAsync.MaxPending = 256;
    options.PublishAsync.StallWait = 10000;
    must(natsConnection_JetStream(&stream, sender, &options), "JetStream");
    for (int i = 0; i < count; i++) must(js_PublishAsync(stream, subject, bytes, size, NULL), "append");
    must(js_PublishAsyncComplete(stream, NULL), "complete");
    jsCtx_Destroy(stream);
    natsConnection_Destroy(sender);
}
