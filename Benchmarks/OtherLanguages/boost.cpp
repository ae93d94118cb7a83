// boost::signals2: any thread may send, connect and disconnect.
#include <boost/signals2.hpp>
#include <memory>

#include "workloads.hpp"

namespace {

using Signal = boost::signals2::signal<void(long)>;

std::shared_ptr<Signal> signalWith(int observers) {
    auto signal = std::make_shared<Signal>();
    for (int index = 0; index < observers; ++index) signal->connect(Add{total});
    return signal;
}

std::function<void(long)> send(int observers) {
    return [signal = signalWith(observers)](long count) {
        for (long value = 0; value < count; ++value) (*signal)(value);
    };
}

std::function<void(long)> connectAndDisconnect(int others) {
    return [signal = signalWith(others)](long count) {
        for (long value = 0; value < count; ++value) signal->connect(Add{total}).disconnect();
    };
}

const Workload workloads[] = {
    {"boost-one", 1, [] { return send(1); }},
    {"boost-ten", 10, [] { return send(10); }},
    {"boost-thousand", 1'000, [] { return send(1'000); }},
    {"boost-observe-dispose", 0, [] { return connectAndDisconnect(0); }},
    {"boost-observe-dispose-1000", 0, [] { return connectAndDisconnect(1'000); }},
};

}  // namespace

int main(int argumentCount, char **arguments) { return runWorkload(workloads, argumentCount, arguments); }
