// Shows with the C client alone that servers of NATS before 2.9.21 accept two writes that expect the same revision of a
// key, if the bucket has replicas: they compare it before they have agreed on the order of writes. The transport
// therefore makes such writes depend on the last write to the whole bucket, which servers compare afterwards.
//
//   cc -O1 Scripts/lost-update.c -lnats -o /tmp/lost-update
//   /tmp/lost-update nats://127.0.0.1:4222 nats://127.0.0.1:4223   (two servers of one cluster of three)
//
// Exits with 1 if a write was lost.
#include <nats/nats.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { rounds = 500 };

static void must(natsStatus status, const char *what) {
    if (status == NATS_OK) return;
    fprintf(stderr, "%s: %s\n", what, natsStatus_GetText(status));
    exit(2);
}

static jsCtx *join(const char *address, natsConnection **connection) {
    jsCtx *stream = NULL;
    must(natsConnection_ConnectTo(connection, address), address);
    must(natsConnection_JetStream(&stream, *connection, NULL), "JetStream");
    return stream;
}

static void *increment(void *address) {
    natsConnection *connection = NULL;
    jsCtx *stream = join(address, &connection);
    for (int round = 0; round < rounds;) {
        jsErrCode code = 0;
        natsMsg *last = NULL;
        must(js_GetLastMsg(&last, stream, "KV_lost", "$KV.lost.counter", NULL, &code), "get");
        char text[32];
        int size = snprintf(text, sizeof text, "%d", atoi(natsMsg_GetData(last)) + 1);
        jsPubOptions options;
        jsPubOptions_Init(&options);
        options.ExpectLastSubjectSeq = natsMsg_GetSequence(last);
        natsMsg_Destroy(last);
        if (js_Publish(NULL, stream, "$KV.lost.counter", text, size, &options, &code) == NATS_OK) round++;
    }
    jsCtx_Destroy(stream);
    natsConnection_Destroy(connection);
    return NULL;
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: %s ADDRESS ADDRESS\n", arguments[0]);
        return 2;
    }
    natsConnection *connection = NULL;
    jsCtx *stream = join(arguments[1], &connection);
    kvConfig settings;
    kvConfig_Init(&settings);
    settings.Bucket = "lost";
    settings.Replicas = 3;
    kvStore *bucket = NULL;
    js_DeleteKeyValue(stream, "lost");
    must(js_CreateKeyValue(&bucket, stream, &settings), "bucket");
    must(kvStore_PutString(NULL, bucket, "counter", "0"), "put");
    pthread_t writers[2];
    for (int i = 0; i < 2; i++) pthread_create(&writers[i], NULL, increment, arguments[i + 1]);
    for (int i = 0; i < 2; i++) pthread_join(writers[i], NULL);
    natsMsg *last = NULL;
    jsErrCode code = 0;
    must(js_GetLastMsg(&last, stream, "KV_lost", "$KV.lost.counter", NULL, &code), "get");
    int value = atoi(natsMsg_GetData(last));
    printf("%d writes were accepted, and the counter is %d: %d lost\n", 2 * rounds, value, 2 * rounds - value);
    natsMsg_Destroy(last);
    kvStore_Destroy(bucket);
    jsCtx_Destroy(stream);
    natsConnection_Destroy(connection);
    return value == 2 * rounds ? 0 : 1;
}
