extension Layout {
  /// A lease, by which an inspector raises the level of recording of a running process for a
  /// limited time.
  public enum Lease {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 64 }
    /// The number of leases in the header.
    @inlinable public static var count: Int { 4 }
    /// The process that holds it; 0 if it is free.
    @inlinable public static var processID: Field<UInt32> { Field(at: 0) }
    /// The requested level (``TraceLevel``).
    @inlinable public static var level: Field<UInt32> { Field(at: 4) }
    /// When its holder started, in the unit of `/proc/PID/stat`.
    @inlinable public static var processStart: Field<UInt64> { Field(at: 8) }
    /// Ticks at which it expires; stored last, with release ordering.
    @inlinable public static var expiry: Field<UInt64> { Field(at: 16) }
  }
}
