internal import Glibc

// A program without a fault, whose recording is attacked while it runs: it must print the same as
// without a recording.
//
//   victim ROUNDS [signals] [filter] [forks] [again]
//
//   signals  a handler interrupts each thread a thousand times a second, and sends into a subject
//            of that thread
//   filter   after a third of the rounds, the process enters a sandbox that refuses system calls
//            that the recorder makes
//   forks    the process forks now and then, and waits for the child, which continues to work
//   again    at the end, the process executes itself again, once
let arguments = CommandLine.arguments.dropFirst()
guard let rounds = arguments.first.flatMap({ Int($0) }), rounds > 0 else {
  printError("victim: how many rounds? usage: victim ROUNDS [signals] [filter] [forks] [again]")
  exit(2)
}
let wishes = Set(arguments.dropFirst())
SharedSubject.prepare(rounds)
let interruptions = wishes.contains("signals") ? Interruptions() : nil
for round in 0..<rounds {
  if wishes.contains("filter"), round == rounds / 3 { Sandbox.enter() }
  say("round \(round): \(Round(number: round, interruptions: interruptions).run())")
  if wishes.contains("forks"), round % 8 == 3 { say(Processes.forked(round)) }
}
interruptions?.stop()
if wishes.contains("again") {
  Processes.executeAgain(CommandLine.arguments.filter { $0 != "again" })
}
say("done")
