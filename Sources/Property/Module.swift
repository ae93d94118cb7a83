// The third layer: state. It sees hot and cold streams below it and nothing above.
@_exported public import ColdProducers
