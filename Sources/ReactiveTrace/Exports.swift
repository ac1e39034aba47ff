// Code that imports the recorder needs levels, errors and identifiers, which `TraceFormat` defines.
@_exported public import TraceFormat
