// Who opens a trace names rows, instants and findings, which the model defines.
@_exported public import TraceModel
