// Appends to a stream with three replicas through the C client alone, or reads it, to see whether servers of NATS keep
// what they acknowledge while they are killed and cut off. Examples/LiveBoard/Scripts/cluster --engine uses it.
//
//   cc -O1 Scripts/lost-entry.c -lnats -o /tmp/lost-entry
//   /tmp/lost-entry append NAME RATE SERVER[,SERVER ...]   prints "SEQUENCE TEXT" for each acknowledged entry, for ever
//   /tmp/lost-entry read SERVER[,SERVER ...]               prints "SEQUENCE TEXT" for each entry of the stream
#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *stream_name = "liveboard";

static void must(natsStatus status, const char *what) {
    if (status == NATS_OK) return;
    fprintf(stderr, "%s: %s\n", what, natsStatus_GetText(status));
    exit(2);
}

static jsCtx *join(char *servers, natsConnection **connection) {
    const char *each[8];
    int count = 0;
    for (char *server = strtok(servers, ","); server && count < 8; server = strtok(NULL, ",")) each[count++] = server;
    natsOptions *options = NULL;
    must(natsOptions_Create(&options), "options");
    must(natsOptions_SetServers(options, each, count), servers);
    must(natsOptions_SetMaxReconnect(options, -1), "options");
    must(natsOptions_SetReconnectWait(options, 200), "options");
    must(natsOptions_SetPingInterval(options, 1000), "options");
    must(natsOptions_SetMaxPingsOut(options, 2), "options");
    must(natsOptions_SetNoRandomize(options, true), "options");
    must(natsConnection_Connect(connection, options), servers);
    natsOptions_Destroy(options);
    jsCtx *stream = NULL;
    must(natsConnection_JetStream(&stream, *connection, NULL), "JetStream");
    return stream;
}

static void append(const char *name, double rate, char *servers) {
    natsConnection *connection = NULL;
    jsCtx *stream = join(servers, &connection);
    jsStreamConfig settings;
    jsStreamConfig_Init(&settings);
    const char *subject = "entries";
    settings.Name = stream_name;
    settings.Subjects = &subject;
    settings.SubjectsLen = 1;
    settings.Replicas = 3;
    jsErrCode code = 0;
    // Succeeds as well if another one has made the same stream.
    while (js_AddStream(NULL, stream, &settings, NULL, &code) != NATS_OK) usleep(500 * 1000);
    for (unsigned long number = 1;; number++) {
        char text[64];
        int size = snprintf(text, sizeof text, "%s-%lu", name, number);
        jsPubOptions options;
        jsPubOptions_Init(&options);
        options.MaxWait = 2000;
        jsPubAck *acknowledgement = NULL;
        // An entry without an answer may be in the stream or not, so that it is not tried again.
        if (js_Publish(&acknowledgement, stream, subject, text, size, &options, &code) == NATS_OK) {
            printf("%llu %s\n", (unsigned long long)acknowledgement->Sequence, text);
            fflush(stdout);
        }
        jsPubAck_Destroy(acknowledgement);
        usleep((useconds_t)(1e6 / rate));
    }
}

static int read_all(char *servers) {
    natsConnection *connection = NULL;
    jsCtx *stream = join(servers, &connection);
    jsStreamInfo *information = NULL;
    jsErrCode code = 0;
    for (int attempt = 0; js_GetStreamInfo(&information, stream, stream_name, NULL, &code) != NATS_OK; attempt++) {
        if (attempt == 60) must(NATS_TIMEOUT, "stream");
        usleep(500 * 1000);
    }
    uint64_t last = information->State.LastSeq;
    for (uint64_t sequence = 1; sequence <= last; sequence++) {
        natsMsg *message = NULL;
        natsStatus status = js_GetMsg(&message, stream, stream_name, sequence, NULL, &code);
        if (status == NATS_NOT_FOUND) continue;
        must(status, "entry");
        printf("%llu %.*s\n", (unsigned long long)sequence, natsMsg_GetDataLength(message), natsMsg_GetData(message));
        natsMsg_Destroy(message);
    }
    jsStreamInfo_Destroy(information);
    jsCtx_Destroy(stream);
    natsConnection_Destroy(connection);
    return 0;
}

int main(int count, char **arguments) {
    if (count == 5 && strcmp(arguments[1], "append") == 0) {
        append(arguments[2], atof(arguments[3]), arguments[4]);
    }
    if (count == 3 && strcmp(arguments[1], "read") == 0) return read_all(arguments[2]);
    fprintf(stderr, "usage: %s append NAME RATE SERVERS | read SERVERS\n", arguments[0]);
    return 2;
}
