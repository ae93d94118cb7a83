@_exported public import ReactiveCluster
