import Foundation
import Glibc
import Testing

/// Programs that tests run.
enum Programs {
  /// The path of the rxtop that was built along with the tests; nil if it was not.
  ///
  /// `RXTOP_TO_TEST` may name another one, such as an optimised rxtop.
  static let rxtop: String? = {
    if let named = ProcessInfo.processInfo.environment["RXTOP_TO_TEST"] { return named }
    return built("rxtop")
  }()

  /// The path of a program that was built along with the tests, in the folder of the test bundle;
  /// nil if it was not.
  static func built(_ name: String) -> String? {
    let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    guard let folder = bundle.map({ URL(filePath: $0).deletingLastPathComponent() }) else {
      return nil
    }
    let path = folder.appending(path: name).path
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }

  /// The path of tmux; nil if it is not installed.
  static let tmux: String? = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/bin/tmux"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// The status, output and errors of a program that has ended.
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs a program to its end, without input and without a terminal.
  static func run(
    _ path: String,
    _ arguments: [String],
    environment: [String: String] = [:]
  ) throws -> Outcome {
    let files = try Scratch()
    let (out, err) = (files.path("out"), files.path("err"))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, err, O_WRONLY | O_CREAT, 0o600)
    // A tmux server outlives its client, so it must not hold any of our descriptors open.
    for descriptor in 3..<256 { posix_spawn_file_actions_addclose(&actions, Int32(descriptor)) }
    // The threads that run tests block signals, and the child would inherit their signal mask.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let variables = ProcessInfo.processInfo.environment
      .merging(["LC_ALL": "C.UTF-8", "NO_COLOR": ""]) { $1 }.merging(environment) { $1 }
    var process: pid_t = 0
    let failure = withStrings([path] + arguments) { arguments in
      withStrings(variables.map { "\($0)=\($1)" }) { variables in
        posix_spawn(&process, path, &actions, &attributes, arguments, variables)
      }
    }
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return Outcome(
      status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
      output: try String(contentsOfFile: out, encoding: .utf8),
      errors: try String(contentsOfFile: err, encoding: .utf8)
    )
  }

  private static func withStrings<Result>(
    _ strings: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }

  /// Copies a program to a place from which it will be run.
  ///
  /// `cp` makes the copy, so that this process never has it open for writing: a program that
  /// another test starts meanwhile would briefly inherit the descriptor, and Linux does not run a
  /// file that any process has open for writing (`ETXTBSY`).
  static func copy(_ path: String, to place: String) throws {
    let outcome = try run("/bin/cp", ["--", path, place])
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  /// Runs rxtop.
  static func rxtop(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try run(try #require(rxtop), arguments, environment: environment)
  }
}

/// A temporary folder, which is removed when this object is released.
final class Scratch: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "rxtop-test-\(UUID().uuidString)"
    )
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path }
}

/// Polls until a condition is true.
func eventually(
  within limit: Duration = .seconds(60),
  _ what: String,
  _ isSo: () throws -> Bool,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let deadline = ContinuousClock.now + limit
  while try !isSo() {
    guard ContinuousClock.now < deadline else {
      Issue.record("not within \(limit): \(what)", sourceLocation: sourceLocation)
      throw CancellationError()
    }
    try await Task.sleep(for: .milliseconds(20))
  }
}

/// Runs a closure on a separate thread.
///
/// It is for work that must not be late: there are few threads for tasks, and other tests block
/// them for seconds.
func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Swift.Result { try body() }) }.start()
  }
}

/// Does the same as ``eventually(within:_:_:sourceLocation:)``, but blocks the calling thread.
func blockUntil(
  within limit: Duration = .seconds(60),
  _ what: String,
  _ isSo: () throws -> Bool
) throws {
  let deadline = ContinuousClock.now + limit
  while try !isSo() {
    guard ContinuousClock.now < deadline else {
      Issue.record("not within \(limit): \(what)")
      throw CancellationError()
    }
    usleep(20_000)
  }
}
