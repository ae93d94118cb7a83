// Lazy sequences, and the producers made of them. Nothing of the core depends on this module.
@_exported public import ColdProducers
