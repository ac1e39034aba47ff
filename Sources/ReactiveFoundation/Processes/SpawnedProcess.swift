import CReactiveTraceShims
import Foundation
import Glibc
import Reactive

/// A process that has just been started, and this side of its pipes.
struct SpawnedProcess {
  let process: pid_t
  /// Readable when it has ended; nil where it has ended already, and another part of the program has waited for it.
  let handle: OwnedDescriptor?
  let output: OwnedDescriptor
  let errorOutput: OwnedDescriptor
  /// Nil where it reads nothing.
  let input: OwnedDescriptor?

  /// While pipes exist that are not closed in children yet, nobody else here makes any.
  private static let spawning = Locked(())

  init(_ launch: ProcessLaunch) throws(SystemFailure) {
    let result = Self.spawning.withLock { _ in
      do throws(SystemFailure) {
        return Result<SpawnedProcess, SystemFailure>.success(try SpawnedProcess(alone: launch))
      } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }

  private init(alone launch: ProcessLaunch) throws(SystemFailure) {
    let output = try Self.pipe(launch)
    let errorOutput = try Self.pipe(launch)
    // What it reads from, and this side of a pipe.
    let (source, input): (OwnedDescriptor?, OwnedDescriptor?) =
      switch launch.input {
      case .empty: (try OwnedDescriptor.open("/dev/null", O_RDONLY, for: "starting"), nil)
      case .data: try Self.pipe(launch)
      case .inherited, .closed: (nil, nil)
      }
    let (process, code) = Self.spawn(launch, [source, output.1, errorOutput.1])
    guard code == 0 else { throw SystemFailure("starting", of: launch.program, code: code) }
    self.process = process
    (self.output, self.errorOutput, self.input) = (output.0, errorOutput.0, input)
    let handle = rxt_open_process(process)
    if handle >= 0 {
      self.handle = OwnedDescriptor(handle)
      return
    }
    let problem = errno
    self.handle = nil
    if problem == ESRCH { return }
    // Nobody could tell of its end. Where it has been waited for, its number may be another's.
    if waitpid(process, nil, WNOHANG) == 0 {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    throw SystemFailure("waiting for the end", of: launch.program, code: problem)
  }

  /// The end to read from, and the one to write to.
  private static func pipe(
    _ launch: ProcessLaunch
  ) throws(SystemFailure) -> (OwnedDescriptor, OwnedDescriptor) {
    guard let (reader, writer) = OwnedDescriptor.pipe() else {
      throw SystemFailure("starting", of: launch.program, code: errno)
    }
    return (reader, writer)
  }

  /// Starts it.
  ///
  /// - Parameters:
  ///   - launch: What is run.
  ///   - files: What it gets as its descriptors 0, 1 and 2; nil for what this process has there.
  /// - Returns: The process, or why there is none.
  private static func spawn(
    _ launch: ProcessLaunch,
    _ files: [OwnedDescriptor?]
  ) -> (pid_t, Int32) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, file) in files.enumerated() {
      if let file { posix_spawn_file_actions_adddup2(&actions, file.number, Int32(target)) }
    }
    if launch.input == .closed { posix_spawn_file_actions_addclose(&actions, 0) }
    // What others have opened without care would stay open as long as the process: a reader of such a pipe would
    // wait for its end.
    for number in openInChildren() { posix_spawn_file_actions_addclose(&actions, number) }
    // A thread of Dispatch has signals blocked, which would be handed down: nothing could end the process.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
    )
    let arguments = CStrings([launch.program] + launch.arguments)
    let environment = launch.environment.map { CStrings($0.map { "\($0.key)=\($0.value)" }) }
    var process: pid_t = 0
    let code = withExtendedLifetime((arguments, environment)) {
      posix_spawnp(
        &process,
        launch.program,
        &actions,
        &attributes,
        arguments.pointers,
        environment?.pointers ?? environ
      )
    }
    return (process, code)
  }
}

/// Descriptors that a child would inherit, besides the first three.
private func openInChildren() -> [Int32] {
  guard let folder = opendir("/proc/self/fd") else { return [] }
  defer { closedir(folder) }
  var numbers: [Int32] = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    guard let number = Int32(name), number > 2 else { continue }
    let flags = fcntl(number, F_GETFD)
    if flags >= 0, flags & FD_CLOEXEC == 0 { numbers.append(number) }
  }
  return numbers
}

/// An array of texts for C, with nil at its end.
private final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ texts: [String]) {
    count = texts.count
    pointers = .allocate(capacity: texts.count + 1)
    for (index, text) in texts.enumerated() { (pointers + index).initialize(to: strdup(text)) }
    (pointers + texts.count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { free(pointers[index]) }
    pointers.deallocate()
  }
}
