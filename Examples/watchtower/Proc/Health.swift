import Glibc

/// How the machine and this process are doing, in steps coarse enough for a person.
struct Health: Sendable, Equatable {
  /// Processes that ran or wanted to in the last minute, on average, in tenths.
  let loadTenths: Int
  let residentMebibytes: Int
  let openPanes: Int

  /// Whether more wants to run than there are processors.
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

/// Readings of files in /proc.
enum Proc {
  /// The load of the last minute, in tenths; nil where it is unknown.
  static func loadTenths() -> Int? {
    guard let first = text(of: "/proc/loadavg").split(separator: " ").first,
      let load = Double(first)
    else { return nil }
    return Int((load * 10).rounded())
  }

  /// Memory of this process that is in the machine's, in MiB.
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
