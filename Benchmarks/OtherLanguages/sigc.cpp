// sigc++: signals without locks, which only one thread may use.
#include <sigc++/sigc++.h>

#include <memory>

#include "workloads.hpp"

namespace {

using Signal = sigc::signal<void, long>;

std::shared_ptr<Signal> signalWith(int observers) {
    auto signal = std::make_shared<Signal>();
    for (int index = 0; index < observers; ++index) signal->connect(Add{total});
    return signal;
}

std::function<void(long)> send(int observers) {
    return [signal = signalWith(observers)](long count) {
        for (long value = 0; value < count; ++value) signal->emit(value);
    };
}

std::function<void(long)> connectAndDisconnect(int others) {
    return [signal = signalWith(others)](long count) {
        for (long value = 0; value < count; ++value) {
            sigc::connection connection = signal->connect(Add{total});
            connection.disconnect();
        }
    };
}

const Workload workloads[] = {
    {"sigc-one", 1, [] { return send(1); }},
    {"sigc-ten", 10, [] { return send(10); }},
    {"sigc-thousand", 1'000, [] { return send(1'000); }},
    {"sigc-observe-dispose", 0, [] { return connectAndDisconnect(0); }},
    {"sigc-observe-dispose-1000", 0, [] { return connectAndDisconnect(1'000); }},
};

}  // namespace

int main(int argumentCount, char **arguments) { return runWorkload(workloads, argumentCount, arguments); }
