internal import Glibc
internal import ReactiveTrace

/// A program that gets a signal in the middle of a turn, which is one delivery of an event; started
/// with `crash HOW`.
enum Crashes {
  static func run(_ how: String) {
    var none = rlimit()
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    switch how {
    // These handlers are installed before the recording begins.
    case "handled":
      signal(SIGSEGV) { _ in
        _ = write(1, "own handler\n", 12)
        _exit(9)
      }
    case "survived", "stopped": signal(SIGFPE) { _ in }
    case "ignored": signal(SIGFPE, SIG_IGN)
    default: break
    }
    Trace.startFromEnvironment()
    let site = Tracer.site("crash", traits: [.root], file: "Traced/Crash.swift", line: 1, column: 1)
    let made = Tracer.signalCreated(site: site)
    let subscription = Tracer.subscribed(site: site, signal: made, downstream: .none)
    Threads.run(1) { _ in
      Tracer.turnBegan(subscription)
      Tracer.next(subscription)
      crash(how)
      Tracer.turnEnded(subscription)
      Tracer.turnBegan(subscription)
      Tracer.next(subscription)
      Tracer.turnEnded(subscription)
    }
    switch how {
    case "stopped": Trace.stop()
    default: kill(getpid(), SIGKILL)
    }
  }

  private static func crash(_ how: String) {
    switch how {
    case "fault", "handled":
      // No memory is ever mapped at the lowest addresses.
      let nowhere = UnsafeMutablePointer<Int>(bitPattern: 8 * numbersOfArguments)
      nowhere?.pointee = 1
    case "abort": abort()
    case "survived", "stopped", "ignored": raise(SIGFPE)
    case "terminated": kill(getpid(), SIGTERM)
    default: fail("no such crash: \(how)")
    }
  }

  /// A number that the compiler cannot know.
  private static var numbersOfArguments: Int { Int(CommandLine.argc) }
}
