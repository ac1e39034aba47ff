// Code that reads traces needs the types of records, levels and reasons, which `TraceFormat`
// defines.
@_exported public import TraceFormat
