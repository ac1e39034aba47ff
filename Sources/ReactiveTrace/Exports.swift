// Users of the recorder need levels, errors and identifiers, which the format defines.
@_exported public import TraceFormat
