extension Duration {
  /// Nanoseconds, rounded towards zero and clamped to the limits of the type.
  package var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isTooLong || overflows ? (seconds < 0 ? .min : .max) : sum
  }
}
