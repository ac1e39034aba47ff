internal import Glibc
internal import ReactiveTrace

/// Runs another program that inspects the trace of this one, when started with `while PROGRAM
/// ARGUMENTS`.
///
/// The trace's path is added to the arguments.
enum LiveInspection {
  static func run(_ command: [String]) {
    Workload.work(10)
    guard let trace = Trace.path else { fail("there is no trace") }
    var arguments: [UnsafeMutablePointer<CChar>?] = (command + [trace]).map { strdup($0) }
    arguments.append(nil)
    unsetenv("RXTRACE")
    var child: pid_t = 0
    let failure = posix_spawnp(&child, command[0], nil, nil, arguments, environ)
    guard failure == 0 else { fail("'\(command[0])': \(String(cString: strerror(failure)))") }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { fail("'\(command[0])' ended with \(status)") }
  }
}
