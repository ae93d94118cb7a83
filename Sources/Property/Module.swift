// The third layer: state. It depends on hot and cold streams, and on nothing above.
@_exported public import ColdProducers
