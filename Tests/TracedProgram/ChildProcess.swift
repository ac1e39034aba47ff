internal import Glibc

/// Another process that runs this program.
struct ChildProcess {
  let id: pid_t

  /// Starts the process with only the variables in `environment` and only the standard streams.
  init(_ arguments: [String], environment: [String: String], errors: String = "/dev/null") {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    var variables = environment
    for name in ["PATH", "LD_LIBRARY_PATH", "HOME"] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    let texts = ["/proc/self/exe"] + arguments
    var id: pid_t = 0
    let failure = Self.withStrings(texts) { arguments in
      Self.withStrings(variables.map { "\($0)=\($1)" }) { variables in
        posix_spawn(&id, "/proc/self/exe", &actions, nil, arguments, variables)
      }
    }
    guard failure == 0 else {
      fail("'\(arguments[0])' cannot be started: \(String(cString: strerror(failure)))")
    }
    self.id = id
  }

  private static func withStrings<Result>(
    _ strings: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }

  /// The status if the process has ended, otherwise nil.
  func ended() -> Int32? {
    var status: Int32 = 0
    return waitpid(id, &status, WNOHANG) == id ? status : nil
  }

  /// Waits for the end of the process, and returns its status, or 128 plus the signal.
  @discardableResult
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  func kill() { _ = Glibc.kill(id, SIGKILL) }
}
