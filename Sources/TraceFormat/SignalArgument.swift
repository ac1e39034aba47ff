/// What kind of argument the operator that made a signal has (TraceFormat §8).
///
/// Raw values are part of the format and never change meaning.
public enum ArgumentKind: UInt32, CaseIterable, Sendable {
  /// It is unknown.
  case unknown = 0
  /// No arguments, or only signals.
  case none = 1
  /// A closure, or values, which are not recorded.
  case closure = 2
  case integer = 3
  case duration = 4
  /// A text as it is written in code.
  case text = 5
  /// Not an argument, but the name of the signal among several signals of one object, such as
  /// `values` in `command(…).values`.
  case part = 6
  case scheduler = 7
  /// Only signals, in an array.
  case list = 8
}

/// The argument of the operator that made a signal, with its value.
public enum SignalArgument: Sendable, Equatable {
  /// It is unknown.
  case unknown
  /// No arguments, or only signals.
  case none
  /// A closure, or values, which are not recorded.
  case closure
  /// A number.
  case integer(Int)
  /// Nanoseconds.
  case duration(nanoseconds: Int64)
  /// A text as it is written in code.
  case text(String)
  /// Not an argument, but the name of the signal among several signals of one object, such as
  /// `values` in `command(…).values`.
  case part(String)
  /// A row of the scheduler table.
  case scheduler(UInt32)
  /// Only signals, in an array.
  case list
}

extension Layout {
  /// A row of the table of arguments, in which each kind and value is stored once.
  public enum Argument {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 16 }
    /// ``ArgumentKind``.
    @inlinable public static var kind: Field<UInt32> { Field(at: 0) }
    /// The string number of a text; 0 otherwise.
    @inlinable public static var text: Field<UInt32> { Field(at: 4) }
    /// The number, in two's complement: an integer, nanoseconds, or the row of a scheduler; 0
    /// otherwise.
    @inlinable public static var value: Field<UInt64> { Field(at: 8) }
    /// The maximum number of rows: the number of a row has 16 bits.
    @inlinable public static var limit: Int { 1 << 16 }
    /// The maximum number of bytes of a text that are recorded.
    @inlinable public static var textLimit: Int { 128 }
  }
}
