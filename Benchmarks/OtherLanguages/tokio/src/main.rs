//! `broadcast` and `watch` of tokio. Their receivers are not called: they ask for the value.
//!
//! The workloads use the cheapest call that returns the value, and no task waits for it. So the counts contain neither
//! the wake-up of a task nor a future.

use std::cell::Cell;
use tokio::sync::{broadcast, watch};

/// Runs a workload a number of times, and adds what the receivers get to the sum.
type Run = Box<dyn FnOnce(i64, &Cell<i64>)>;

/// The workloads, by name, and the sum that a number of runs must give.
const WORKLOADS: [(&str, fn() -> Run, fn(i64) -> i64); 7] = [
    ("broadcast-one", || send(1), sum_of_values),
    ("broadcast-ten", || send(10), |count| 10 * sum_of_values(count)),
    ("broadcast-thousand", || send(1_000), |count| 1_000 * sum_of_values(count)),
    ("broadcast-observe-dispose", || subscribe_and_drop(0), |_| 0),
    ("broadcast-observe-dispose-1000", || subscribe_and_drop(1_000), |_| 0),
    ("watch-set", set, sum_of_values),
    ("watch-read", read, |count| count),
];

fn sum_of_values(count: i64) -> i64 {
    count * (count - 1) / 2
}

/// Sends a value, and has each receiver take it.
fn send(receivers: usize) -> Run {
    let (sender, first) = broadcast::channel(16);
    let mut all = vec![first];
    all.resize_with(receivers, || sender.subscribe());
    Box::new(move |count, sum| {
        for value in 0..count {
            sender.send(value).unwrap();
            for receiver in all.iter_mut() {
                sum.set(sum.get() + receiver.try_recv().unwrap());
            }
        }
    })
}

fn subscribe_and_drop(others: usize) -> Run {
    let (sender, _) = broadcast::channel::<i64>(16);
    let others: Vec<_> = (0..others).map(|_| sender.subscribe()).collect();
    Box::new(move |count, _| {
        for _ in 0..count {
            drop(sender.subscribe());
        }
        assert_eq!(sender.receiver_count(), others.len());
    })
}

/// Sets the value, and has one receiver take it.
fn set() -> Run {
    let (sender, mut receiver) = watch::channel(0);
    Box::new(move |count, sum| {
        for value in 0..count {
            sender.send(value).unwrap();
            sum.set(sum.get() + *receiver.borrow_and_update());
        }
    })
}

fn read() -> Run {
    let (sender, receiver) = watch::channel(1);
    Box::new(move |count, sum| {
        for _ in 0..count {
            sum.set(sum.get() + *receiver.borrow());
        }
        assert_eq!(sender.receiver_count(), 1);
    })
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments == ["--list"] {
        WORKLOADS.iter().for_each(|(name, ..)| println!("{name}"));
        return;
    }
    let named = WORKLOADS.iter().find(|(name, ..)| arguments.len() == 2 && *name == arguments[0]);
    let count = arguments.get(1).and_then(|count| count.parse().ok());
    let ((name, prepare, expected), count) = named.zip(count).unwrap_or_else(|| {
        eprintln!("usage: tokio-workloads NAME COUNT | --list");
        std::process::exit(2);
    });
    // A second thread, which sleeps, as in the programs of the other peers.
    std::thread::spawn(|| loop {
        std::thread::park()
    });
    let sum = Box::new(Cell::new(0));
    prepare()(count, &sum);
    assert_eq!(sum.get(), expected(count), "{name}: an observer has missed a value");
}
