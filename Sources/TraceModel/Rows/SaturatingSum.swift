extension FixedWidthInteger {
  /// The sum, or the largest number on overflow: a damaged file may claim any count.
  package func saturatingAdding(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
