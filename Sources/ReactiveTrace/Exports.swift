// Who records names levels, errors and identifiers, which the format defines.
@_exported public import TraceFormat
