// Who reads names records, levels and reasons, which the format defines.
@_exported public import TraceFormat
