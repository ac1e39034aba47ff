internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// A process that looks up functions, so that damaged debug information ends only that process.
///
/// It runs the same executable with ``word`` as its only argument. `rxtop` does so; a program that
/// uses this module looks functions up in its own process unless it does the same:
///
/// ```swift
/// if CommandLine.arguments.dropFirst().elementsEqual([SymbolHelper.word]) { SymbolHelper.serve() }
/// SymbolHelper.isUsed = true
/// ```
public enum SymbolHelper {
  /// The argument that makes the executable a helper.
  public static let word = "symbols-for-rxtop"

  private static let used = Atomic<Bool>(false)

  /// Whether symbols are looked up by such a process; initially they are not.
  public static var isUsed: Bool {
    get { used.load(ordering: .relaxed) }
    set { used.store(newValue, ordering: .relaxed) }
  }

  /// The limits of processor time in seconds and of an answer in bytes: damaged data may also cause
  /// an endless loop.
  private static let (seconds, longestAnswer) = (120, 1 << 28)

  /// Answers the question on standard input, and ends the process.
  public static func serve() -> Never {
    var limit = rlimit(rlim_cur: rlim_t(seconds), rlim_max: rlim_t(seconds))
    setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
    var none = rlimit()
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    guard
      let question = try? JSONDecoder().decode(
        SymbolLookup.Question.self,
        from: Data(read(STDIN_FILENO))
      ),
      let answer = try? JSONEncoder().encode(SymbolLookup.answer(question))
    else { exit(1) }
    exit(write(Array(answer), to: STDOUT_FILENO) ? 0 : 1)
  }

  /// The answer of a helper; nil if it ends before it answers.
  static func ask(_ question: SymbolLookup.Question) -> [SymbolLookup.Symbol]?? {
    guard let text = try? JSONEncoder().encode(question), let answer = run(Array(text)) else {
      return nil
    }
    return try? JSONDecoder().decode([SymbolLookup.Symbol]?.self, from: Data(answer))
  }

  private static func run(_ input: [UInt8]) -> [UInt8]? {
    guard let toHelper = pipe() else { return nil }
    guard let fromHelper = pipe() else {
      close(toHelper.reading)
      close(toHelper.writing)
      return nil
    }
    let process = start(reading: toHelper.reading, writing: fromHelper.writing)
    close(toHelper.reading)
    close(fromHelper.writing)
    defer { close(fromHelper.reading) }
    guard let process else {
      close(toHelper.writing)
      return nil
    }
    // The helper answers once it has read everything.
    _ = write(input, to: toHelper.writing)
    close(toHelper.writing)
    let answer = read(fromHelper.reading)
    if answer.count > longestAnswer { kill(process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status == 0 && answer.count <= longestAnswer ? answer : nil
  }

  private static func start(reading input: Int32, writing output: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("rxtop"), strdup(word), nil]
    // A crash of the helper must not be reported, and the helper must not be traced.
    var environment: [UnsafeMutablePointer<CChar>?] = [
      strdup("SWIFT_BACKTRACE=enable=no"), strdup("RXTRACE=0"),
    ]
    for name in ["LD_LIBRARY_PATH", "PATH"] {
      if let value = getenv(name) {
        environment.append(strdup("\(name)=\(String(cString: value))"))
      }
    }
    environment.append(nil)
    defer { for text in arguments + environment { free(text) } }
    var process: pid_t = 0
    let failure = posix_spawn(&process, "/proc/self/exe", &actions, nil, &arguments, &environment)
    return failure == 0 ? process : nil
  }

  // MARK: Bytes

  private static func pipe() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Reads until the end of the input, or until the bytes exceed the longest permitted answer.
  private static func read(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= longestAnswer {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
