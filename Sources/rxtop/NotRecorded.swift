/// That this program looks at the traces of others: it is not recorded itself, also where `RXTRACE` is exported. The recorder asks whether
/// it is there before anything runs.
@_cdecl("rxt_inspects")
func inspects() {}
