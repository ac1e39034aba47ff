import Glibc
import Reactive
import Synchronization

// Runs one form (a recursive use of the library) to a given depth, on a thread with a stack of
// 512 KiB:
//
//   depth --list          the names of the forms
//   depth FORM LEVELS     prints nanoseconds per level and the memory that it took, in KiB
//   depth --stack         prints the bytes of stack that a chain of operators takes per operator,
//                         when it is subscribed to and when a value passes
//
// A form that needs stack for each level overflows the stack, so Scripts/depth runs each form in a
// separate process.

@main
enum Depth {
  static func main() {
    let arguments = CommandLine.arguments
    if arguments.count == 2, arguments[1] == "--list" {
      for form in RecursiveForm.all { print(form.name) }
      return
    }
    if arguments.count == 2, arguments[1] == "--stack" { return Stack.print() }
    guard arguments.count == 3, let levels = Int(arguments[2]), levels > 0,
      let form = RecursiveForm.all.first(where: { $0.name == arguments[1] })
    else {
      print("usage: depth --list | depth --stack | depth FORM LEVELS")
      exit(2)
    }
    let before = peakKiB()
    let start = now()
    onASmallStack { CurrentWork.run { form.run(levels) } }
    let nanoseconds = Double(now() - start) / Double(levels)
    print(form.name, levels, Int(nanoseconds), max(0, peakKiB() - before))
  }
}

/// Runs a closure as the work of a scheduler, so that cold signals start at once.
enum CurrentWork {
  static func run(_ body: @escaping @Sendable () -> Void) {
    ImmediateScheduler.shared.schedule { body() }
  }
}

func onASmallStack(_ body: @escaping @Sendable () -> Void) {
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  defer { attributes.deallocate() }
  pthread_attr_init(attributes)
  pthread_attr_setstacksize(attributes, 512 << 10)
  let box = Unmanaged.passRetained(Body(body))
  var thread = pthread_t()
  let status = pthread_create(
    &thread,
    attributes,
    { pointer in
      if let pointer { Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run() }
      return nil
    },
    box.toOpaque()
  )
  precondition(status == 0, "no thread could be made: error \(status)")
  pthread_join(thread, nil)
}

private final class Body: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

func now() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

func peakKiB() -> Int {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss
}
