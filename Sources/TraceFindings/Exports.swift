// Code that opens a trace uses rows, instants and findings, which the model defines.
@_exported public import TraceModel
