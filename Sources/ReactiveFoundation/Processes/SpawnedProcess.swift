import CReactiveTraceShims
import Foundation
import Glibc
import Reactive

/// A process that has just been started, and this program's ends of its pipes.
struct SpawnedProcess {
  let process: pid_t
  /// A descriptor of the process, which becomes readable when the process ends; nil if it has ended
  /// already and another part of the program has waited for it.
  let handle: OwnedDescriptor?
  let output: OwnedDescriptor
  let errorOutput: OwnedDescriptor
  /// Nil unless the input is ``ProcessInput/data(_:)``.
  let input: OwnedDescriptor?

  /// Held while a launch creates its pipes and starts its process: a pipe is marked close-on-exec
  /// only after it has been created, and a process started in between would inherit it.
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
    // The process's end of the input, and this program's end if the input is a pipe.
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
    // Without a handle, the end of the process could not be observed, so the process is ended; but
    // only if it is still running. If it has been waited for, its number may belong to another
    // process.
    if waitpid(process, nil, WNOHANG) == 0 {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    throw SystemFailure("waiting for the end", of: launch.program, code: problem)
  }

  /// A new pipe: the end to read from, and the end to write to.
  private static func pipe(
    _ launch: ProcessLaunch
  ) throws(SystemFailure) -> (OwnedDescriptor, OwnedDescriptor) {
    guard let (reader, writer) = OwnedDescriptor.pipe() else {
      throw SystemFailure("starting", of: launch.program, code: errno)
    }
    return (reader, writer)
  }

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - launch: The program to run.
  ///   - files: The process's descriptors 0, 1 and 2; for nil, the process inherits the descriptor
  ///     of this process.
  /// - Returns: The process, and the error code of `posix_spawnp`: 0 if it was started.
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
    // Descriptors that other parts of the program have opened without close-on-exec would stay open
    // in the process. If one of them is the writing end of a pipe, the reader of that pipe would
    // see the end of the data only after the process has ended.
    for number in openInChildren() { posix_spawn_file_actions_addclose(&actions, number) }
    // Dispatch's threads block signals. If the process inherited their signal mask, `SIGTERM` could
    // not end it.
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

/// An array of C strings, with nil at its end.
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
