import CReactiveTraceShims
import Foundation
import Testing

@testable import ReactiveTrace

/// The cache of walks (`rxt_find_walk`), compared with walks of the same stacks.
///
/// The stacks are made by hand, of few addresses and sizes, so that many of them are equal or
/// differ in one place.
@Suite struct KnownWalkTests {
  @Test(arguments: [false, true])
  func findsAWalkOnlyIfANewWalkWouldFindTheSameAddresses(inTask: Bool) async {
    await #expect(processExitsWith: .success) { [inTask] in
      rxt_hops_install()
      try #require(rxt_take_lists())
      var thread = rxt_thread_state().pointee
      var random = Random(seed: inTask ? 7 : 3)
      let stack = HandMadeStack()
      var remembered: [[UInt64]] = []
      var found = 0
      for _ in 0..<20_000 {
        stack.fill(inTask: inTask, &random)
        thread.stack_high = stack.end
        let limit = random.one(of: [3, 16])
        var key = rxt_walk_key()
        key.innermost = rxt_innermost(stack.start, stack.end)
        key.limit = UInt16(limit)
        key.walks_task = inTask ? 1 : 0
        let (addresses, taskFrame) = stack.walk(inTask: inTask, limit: limit)
        if let known = rxt_find_walk(&thread, &key, stack.start) {
          #expect(remembered[Int(known.pointee.chain)] == addresses)
          found += 1
        } else {
          rxt_remember_walk(
            &thread,
            &key,
            UInt32(remembered.count),
            stack.start,
            taskFrame,
            addresses,
            UInt32(addresses.count)
          )
          remembered.append(addresses)
        }
      }
      #expect(found > 1000, "only \(found) walks were found")
    }
  }

  @Test func remembersNothingWithoutListsAndNoEmptyWalk() async {
    await #expect(processExitsWith: .success) {
      var random = Random(seed: 1)
      let stack = HandMadeStack()
      stack.fill(inTask: false, &random)
      let (addresses, _) = stack.walk(inTask: false, limit: 16)
      var thread = rxt_thread_state().pointee
      thread.lists = nil
      thread.stack_high = stack.end
      var key = rxt_walk_key()
      key.limit = 16
      rxt_remember_walk(&thread, &key, 1, stack.start, 0, addresses, UInt32(addresses.count))
      #expect(rxt_find_walk(&thread, &key, stack.start) == nil)
      try #require(rxt_take_lists())
      thread.lists = rxt_thread_state().pointee.lists
      rxt_remember_walk(&thread, &key, 1, stack.start, 0, addresses, 0)
      #expect(rxt_find_walk(&thread, &key, stack.start) == nil)
      rxt_remember_walk(&thread, &key, 1, stack.start, 0, addresses, UInt32(addresses.count))
      #expect(rxt_find_walk(&thread, &key, stack.start)?.pointee.chain == 1)
    }
  }
}

/// A stack, and the contexts of awaiting functions, in memory of its own.
private final class HandMadeStack {
  private let words = UnsafeMutablePointer<UInt>.allocate(capacity: 256)
  /// Contexts of two words, each in a page of its own.
  private let contexts = UnsafeMutablePointer<UInt>.allocate(capacity: 8 * contextStep)
  private static let contextStep = 4096 / MemoryLayout<UInt>.size + 2
  private let program: [UInt]
  private let runtime: [UInt]
  private let job: UInt

  init() {
    words.initialize(repeating: 0, count: 256)
    contexts.initialize(repeating: 0, count: 8 * Self.contextStep)
    let own: @convention(c) () -> Void = rxt_hops_install
    let start = unsafeBitCast(own, to: UInt.self)
    program = [start + 1, start + 2]
    let create = dlsym(nil, "swift_task_create")
    runtime = [UInt(bitPattern: create) + 1]
    job = UInt(bitPattern: dlsym(nil, "swift_job_run")) + 1
  }

  deinit {
    words.deallocate()
    contexts.deallocate()
  }

  var start: UInt { UInt(bitPattern: words + 2) }
  var end: UInt { UInt(bitPattern: words + 256) }

  func fill(inTask: Bool, _ random: inout Random) {
    words.update(repeating: 0, count: 256)
    var returns = some(of: program, 1...3, &random)
    if inTask {
      if random.next(below: 4) == 0 { returns += runtime + some(of: program, 1...2, &random) }
      // The word in the place of a return address below a tail call.
      if random.next(below: 8) == 0 { returns.append(random.one(of: [7, 8])) }
      returns += some(of: runtime, 0...1, &random)
      if random.next(below: 16) != 0 { returns.append(job) }
      fillContexts(&random)
    }
    // More frames than `rxt_innermost` looks at.
    if !inTask { returns = Array(repeating: program[0], count: 6) + returns }
    // Frames further out, which are of no interest in a task.
    returns += some(of: program, 0...1, &random)
    var place = 2
    for (index, address) in returns.enumerated() {
      // The frame of an async function is preceded by the address of its context.
      words[place - 1] = UInt(bitPattern: contexts)
      words[place + 1] = address
      let next = place + random.one(of: [4, 4, 4, 6])
      let isLast = index == returns.count - 1
      words[place] = isLast ? random.one(of: [0, end, 12]) : UInt(bitPattern: words + next)
      place = next
    }
  }

  private func fillContexts(_ random: inout Random) {
    let resumes =
      some(of: program + runtime, 0...3, &random) + (random.next(below: 8) == 0 ? [4096 * 3] : [])
    set(0, outer: 0, resume: program[0])
    for (index, resume) in resumes.enumerated() {
      set(index, outer: UInt(bitPattern: context(index + 1)), resume: resume)
      set(index + 1, outer: random.next(below: 8) == 0 ? 12 : 0, resume: program[0])
    }
  }

  private func context(_ index: Int) -> UnsafeMutablePointer<UInt> {
    contexts + index * Self.contextStep
  }

  private func set(_ index: Int, outer: UInt, resume: UInt) {
    context(index)[0] = outer
    context(index)[1] = resume
  }

  private func some(of values: [UInt], _ count: ClosedRange<Int>, _ random: inout Random) -> [UInt]
  {
    (0..<random.one(of: Array(count))).map { _ in random.one(of: values) }
  }

  /// The addresses that a walk finds, and the frame of the task.
  func walk(inTask: Bool, limit: Int) -> (addresses: [UInt64], taskFrame: UInt) {
    var addresses = [UInt64](repeating: 0, count: limit)
    var hash: UInt64 = 0
    var taskFrame: UInt = 0
    let count =
      inTask
      ? rxt_walk_task(start, end, &addresses, UInt32(limit), &taskFrame)
      : rxt_walk_frames(start, end, &addresses, UInt32(limit), &hash)
    return (Array(addresses.prefix(Int(count))), taskFrame)
  }
}

extension Random {
  fileprivate mutating func one<Value>(of values: [Value]) -> Value {
    values[Int(next(below: UInt64(values.count)))]
  }
}
