public import Foundation
import Glibc
public import Reactive
import ReactiveTrace

extension FileHandle: ReactiveBridging {}

extension Bridged where Base: FileHandle {
  /// A cold signal of the data that arrives on a file, a pipe, a socket or a terminal, in pieces.
  ///
  /// ```swift
  /// pipe.fileHandleForReading.reactive.data().subscribe { print($0.count) }
  /// ```
  ///
  /// The next piece is read when the subscriber has handled the previous one; see
  /// `Signal.bytes(of:)`. Each subscription reads from a duplicate of the descriptor, so that the
  /// handle may be closed, or released, meanwhile. The signal does not use `readabilityHandler`, so
  /// the program can use it.
  ///
  /// - Parameters:
  ///   - size: The maximum number of bytes in a piece.
  /// - Returns: A signal that completes at the end of the file. It sends on threads of the global
  ///   queue.
  public func data(
    atMost size: Int = 65_536,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Data, SystemFailure> {
    precondition(size >= 1, "data(atMost: \(size)): the size must be ≥ 1")
    return .reading(
      Site("data", file, line, column),
      name,
      atMost: size,
      DataChunkParser(),
      copy(for: .reading)
    )
  }

  /// A cold signal of the lines that arrive, without their line endings.
  ///
  /// - Parameters:
  ///   - longest: The maximum number of bytes in a line; a longer line fails the signal.
  /// - Returns: A signal that completes at the end of the file; see `Signal.lines(of:)`.
  public func lines(
    longest: Int = 1 << 20,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<String, SystemFailure> {
    let parser = LineParser(longest: longest, of: name)
    return .reading(
      Site("lines", file, line, column),
      name,
      atMost: 65_536,
      parser,
      copy(for: .reading)
    )
  }

  /// A cold signal that writes data, and sends how many bytes have been written so far.
  ///
  /// While the other side does not read, the signal waits without blocking a thread; when the other
  /// side is closed, it fails with `EPIPE`. Disposal stops the writing; what has been written stays
  /// written.
  ///
  /// - Parameters:
  ///   - data: The data; each subscription writes all of it.
  /// - Returns: A signal that completes when all is written.
  public func write(
    _ data: Data,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Int, SystemFailure> {
    .writing(Site("write", file, line, column), [UInt8](data), name, copy(for: .writing))
  }

  private var name: String { "descriptor \(base.fileDescriptor)" }

  private func copy(for access: OwnedDescriptor.Access)
    -> @Sendable () throws(SystemFailure) -> OwnedDescriptor
  {
    { [base] () throws(SystemFailure) in
      try OwnedDescriptor.copy(of: base.fileDescriptor, for: "using", access)
    }
  }
}

/// Passes the bytes on as they arrive, as `Data`.
struct DataChunkParser: StreamParser {
  mutating func parse(_ bytes: [UInt8], into pieces: inout [Data]) { pieces.append(Data(bytes)) }
}
