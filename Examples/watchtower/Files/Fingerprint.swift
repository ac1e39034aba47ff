import Reactive

/// Identifies the contents of a file by their length and 64-bit FNV-1a hash.
struct Fingerprint: Sendable, Equatable {
  private(set) var length = 0
  private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    length += bytes.count
  }
}

extension Fingerprint: CustomStringConvertible {
  var description: String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits + ", \(length) bytes"
  }
}

/// Why a file has no fingerprint.
enum FingerprintFailure: Error {
  /// The file was deleted or may not be read.
  case unreadable
  /// The file was written to while it was read; a retry can succeed.
  case changedMeanwhile
}

extension Fingerprint {
  /// Reads a file in pieces, on the scheduler of the subscription; sends one fingerprint.
  ///
  /// Stops between two pieces when the subscription has been disposed of.
  static func of(_ path: String) -> Signal<Fingerprint, FingerprintFailure> {
    .create { observer in
      guard let file = Descriptor(reading: path) else { return observer.fail(.unreadable) }
      let size = file.size
      var fingerprint = Fingerprint()
      let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
      defer { piece.deallocate() }
      while !observer.isDisposed {
        guard let count = file.read(into: piece, at: fingerprint.length) else {
          return observer.fail(.unreadable)
        }
        if count == 0 { break }
        fingerprint.add(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      }
      if file.size != size || fingerprint.length != size { return observer.fail(.changedMeanwhile) }
      observer.send(fingerprint)
      observer.complete()
    }
  }
}
