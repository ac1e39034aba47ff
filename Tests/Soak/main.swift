import Glibc
import InspectorUI
import TraceReading

// `Scripts/soak` builds and runs this program, and explains it.
//
//   soak keys SEED PRESSES STATE FIRST FILE...   the sessions from FIRST on; STATE names the current one
//   soak repeat SEED PRESSES PART FILE...        one session again, with each press printed before it is made
//   soak answers FILE [NAME]                     the digest of each answer about a recording; with a name, that answer
//   soak holes SEED RUNS STATE FILE...            answers about recordings with holes, RUNS for each kind
//   soak hole SEED RUNS PART FILE                one of these runs again, with its violations
//   soak file SEED PRESSES PART OUTPUT FILE...   the recording of a session, as it was damaged
//
// SOAK_FRAMES_EVERY=N draws a frame after one press in N, for builds in which frames take long.

/// Writes a line immediately, so that a trap that follows does not lose it.
func printLine(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(STDOUT_FILENO, bytes, bytes.count)
}

func usage() -> Never {
  printLine("soak: run Scripts/soak, which knows what this takes")
  exit(2)
}

let arguments = CommandLine.arguments
if arguments.count > 2, arguments[1] == "answers" {
  let wanted = arguments.dropFirst(3).first
  try Answers(path: arguments[2]).all { name, text in
    if wanted == nil {
      printLine("\(name)\t\(text.digest)")
    } else if wanted == name {
      printLine(text)
    }
  }
  exit(0)
}
if arguments.count > 5, ["hole", "holes"].contains(arguments[1]) {
  guard let seed = UInt64(arguments[2]), let runs = Int(arguments[3]) else { usage() }
  var isBad = false
  let state =
    arguments[1] == "hole" ? -1 : open(arguments[4], O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
  for path in arguments[5...] {
    let campaign = HoleCampaign(path: path, seed: seed, runs: runs)
    let part = arguments[1] == "hole" ? Int(arguments[4]) : nil
    let result = try campaign.run(only: part) { part in
      let line = Array("\(part) \(path)\n".utf8)
      if state >= 0 { _ = (ftruncate(state, 0), pwrite(state, line, line.count, 0)) }
      limitPress(seconds: 120)
    } report: {
      printLine($0)
    }
    printLine("\(path): \(result.lines.joined(separator: "\n"))")
    if !result.isGood { isBad = true }
  }
  exit(isBad ? 1 : 0)
}
guard arguments.count > 5, let seed = UInt64(arguments[2]), let presses = Int(arguments[3]) else {
  usage()
}

func campaign(_ paths: ArraySlice<String>) throws -> KeyCampaign {
  KeyCampaign(
    files: try paths.map { ($0, try KeyCampaign.contents($0)) },
    seed: seed,
    presses: presses,
    framesEvery: getenv("SOAK_FRAMES_EVERY").flatMap { Int(String(cString: $0)) } ?? 1
  )
}

/// Sets a limit for the processor time of a press, at which SIGPROF ends the process.
func limitPress(seconds: Int) {
  var limit = itimerval()
  limit.it_value.tv_sec = seconds
  setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &limit, nil)
}

func milliseconds(_ nanoseconds: UInt64) -> String {
  let tenths = nanoseconds / 100_000
  return "\(tenths / 10).\(tenths % 10) ms"
}

switch arguments[1] {
case "keys":
  guard arguments.count > 6, let first = Int(arguments[5]) else { usage() }
  let campaign = try campaign(arguments[6...])
  let state = open(arguments[4], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  guard state >= 0 else { usage() }
  var undamaged = PressCosts()
  var damaged = PressCosts()
  var unreadable = 0
  for part in first..<max(first, campaign.sessions) {
    let name = campaign.files[part % campaign.files.count].path
    let line = Array("\(part) \(name)\n".utf8)
    guard ftruncate(state, 0) == 0, pwrite(state, line, line.count, 0) == line.count else {
      usage()
    }
    let session = campaign.session(part)
    let isUndamaged = session.damage == .none
    limitPress(seconds: 20)
    var before: UInt64?
    func finish() {
      guard let before else { return }
      let cost = processorTime() - before
      if isUndamaged { undamaged.add(nanoseconds: cost) } else { damaged.add(nanoseconds: cost) }
    }
    let wasOpened = try session.run { _ in
      finish()
      limitPress(seconds: 10)
      before = processorTime()
    }
    if wasOpened { finish() } else { unreadable += 1 }
  }
  limitPress(seconds: 0)
  printLine(
    "\(undamaged.count + damaged.count) presses, \(undamaged.count) of them on sound recordings; "
      + "\(unreadable) sessions with a file that cannot be opened"
  )
  for (name, costs) in [("sound", undamaged), ("damaged", damaged)] where costs.count > 0 {
    printLine(
      "\(name): processor time per press: median \(milliseconds(costs.quantile(0.5))), "
        + "p99 \(milliseconds(costs.quantile(0.99))), p99.99 \(milliseconds(costs.quantile(0.9999))), "
        + "longest \(milliseconds(costs.longest))"
    )
  }
  // The script reads this line, and fails if a press on a sound recording takes too long.
  printLine("p99.99 \(undamaged.quantile(0.9999))")
case "repeat":
  guard arguments.count > 5, let part = Int(arguments[4]) else { usage() }
  let session = try campaign(arguments[5...]).session(part)
  printLine("session \(part): \(session.presses) presses, the file is \(session.damage.rawValue)")
  limitPress(seconds: 20)
  let wasOpened = try session.run { message in
    switch message {
    case .key(let key)?:
      printLine(
        "key \(key.name.unicodeScalars.map { $0.value < 33 ? "\\u{\($0.value)}" : String($0) }.joined())"
      )
    case .resized(let size)?: printLine("size \(size.columns)x\(size.rows)")
    case .mouse(let action)?:
      printLine("mouse \(action.kind) row \(action.row) column \(action.column)")
    case .ended?: printLine("ended")
    case nil: printLine("time passes")
    }
    limitPress(seconds: 10)
  }
  if !wasOpened { printLine("the file cannot be opened") }
case "file":
  // Writes the damaged recording of a session, which can then be opened in rxtop.
  guard arguments.count > 6, let part = Int(arguments[4]) else { usage() }
  let bytes = try campaign(arguments[6...]).session(part).damagedFile
  guard let file = fopen(arguments[5], "w"), fwrite(bytes, 1, bytes.count, file) == bytes.count,
    fclose(file) == 0
  else { usage() }
default: usage()
}
