/// How long a request of a test waits for its answer: no healthy server needs as long, however busy the machine is.
let patience: Duration = .seconds(900)
