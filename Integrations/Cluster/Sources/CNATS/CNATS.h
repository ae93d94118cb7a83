// Debian's libnats-dev, or any installation of the C client that pkg-config finds.
#include <nats/nats.h>
