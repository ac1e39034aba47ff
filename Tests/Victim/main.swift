internal import Glibc

// A program in order, whose recording is attacked while it runs: what it prints must be what it prints without one.
//
//   victim ROUNDS [signals] [filter] [forks] [again]
//
// signals: each thread is interrupted a thousand times a second by a handler that sends into a subject of its own.
// filter: enters, after a third of the rounds, a sandbox that refuses what the recorder asks the system for.
// forks: forks now and then; the child works on, and is waited for.
// again: executes itself anew at the end, once.
let arguments = CommandLine.arguments.dropFirst()
guard let rounds = arguments.first.flatMap({ Int($0) }), rounds > 0 else {
  complain("victim: how many rounds? usage: victim ROUNDS [signals] [filter] [forks] [again]")
  exit(2)
}
let wishes = Set(arguments.dropFirst())
Crowd.prepare(rounds)
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
