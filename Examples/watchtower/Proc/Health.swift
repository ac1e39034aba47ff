import Glibc

/// The state of the machine and of this process, in coarse units.
struct Health: Sendable, Equatable {
  /// The average number of running and runnable processes in the last minute, in tenths.
  let loadTenths: Int
  let residentMebibytes: Int
  let openPanes: Int

  /// Whether more processes want to run than there are processors.
  var isOverloaded: Bool { loadTenths > 10 * Health.processors }

  static let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}

extension Health: CustomStringConvertible {
  var description: String {
    let load = "\(loadTenths / 10).\(loadTenths % 10)"
    return "load \(load) on \(Health.processors) processors, \(residentMebibytes) MiB, "
      + "\(openPanes) panes"
  }
}

/// Reads values from /proc.
enum Proc {
  /// The load of the last minute, in tenths; nil if it is unknown.
  static func loadTenths() -> Int? {
    guard let first = text(of: "/proc/loadavg").split(separator: " ").first,
      let load = Double(first)
    else { return nil }
    return Int((load * 10).rounded())
  }

  /// The resident memory of this process, in MiB; nil if it is unknown.
  static func residentMebibytes() -> Int? {
    for line in text(of: "/proc/self/status").split(separator: "\n") where line.hasPrefix("VmRSS:")
    {
      let words = line.split { $0 == " " || $0 == "\t" }
      return words.count > 1 ? Int(words[1]).map { $0 / 1024 } : nil
    }
    return nil
  }

  private static func text(of path: String) -> String {
    guard let file = Descriptor(reading: path) else { return "" }
    let bytes = [UInt8](unsafeUninitializedCapacity: 8192) { buffer, count in
      count = file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0) ?? 0
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
