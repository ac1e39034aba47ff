import Glibc
import Testing
import TracePlatform
import TraceReading

/// A folder with traces that is removed when the test ends.
final class TraceFolder {
  let path: String
  private var files: Set<String> = []

  init() throws {
    var template = Array("/tmp/rxtrace-tests-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TemporaryFile.Failure(path: "/tmp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for file in files { unlink(file) }
    rmdir(path)
  }

  /// Writes a file, or replaces one.
  func add(_ name: String, _ bytes: [UInt8]) throws {
    let file = path + "/" + name
    files.insert(file)
    guard let stream = fopen(file, "w") else { throw TemporaryFile.Failure(path: file) }
    defer { fclose(stream) }
    fwrite(bytes, 1, bytes.count, stream)
  }

  func add(_ name: String, text: String) throws { try add(name, TraceText.assemble(text)) }

  func remove(_ name: String) { unlink(path + "/" + name) }

  /// The header of a trace that the given process of this boot could be writing.
  static func header(process: Int32, start: UInt64, at realtime: UInt64) throws -> String {
    let boot = try #require(SystemProcess.bootID())
    let namespace = try #require(SystemProcess.namespace())
    return """
      header processID=\(process) processStart=\(start) processNamespace=\(namespace)
      header bootIDHigh=\(boot.high) bootIDLow=\(boot.low) startRealtime=\(realtime)
      header programName="program"
      segment
      """
  }

  /// The header of a trace that this very process is writing.
  static func ownHeader(at realtime: UInt64) throws -> String {
    let start = try #require(SystemProcess.startTime(of: getpid()))
    return try header(process: getpid(), start: start, at: realtime)
  }
}
