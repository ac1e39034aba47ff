import NIOCore
import ReactiveTrace
import Synchronization

/// Records where work is requested of event loops, so that asynchronous backtraces lead there.
///
/// A hop is the passage of such work to the thread of the loop. NIO is linked into the program, so
/// it is not called through a table of the dynamic linker. But programs, and NIO's own futures and
/// channels, refer to a loop as `any EventLoop` and call it through its witness table. Once hops
/// are recorded, the entries of the methods that request work are redirected to
/// ``RedirectingEventLoop``. If anything is not as expected, nothing is changed.
package enum EventLoopHops {
  /// The classes of event loops whose calls are redirected if the program contains them; none of
  /// these classes has subclasses.
  private static let types = [
    "8NIOPosix19SelectableEventLoopC", "11NIOEmbedded17EmbeddedEventLoopC",
    "11NIOEmbedded24NIOAsyncTestingEventLoopC",
  ]

  private static let lock = Mutex(())

  /// Redirects the calls of all loops whose calls are not redirected yet.
  static func begin() {
    lock.withLock { _ in
      let tables = types.compactMap { _typeByName($0) }.compactMap(ConformanceTable.init)
      guard !tables.isEmpty, let redirecting = ConformanceTable(RedirectingEventLoop.self),
        let entries = entries(redirecting)
      else { return }
      for table in tables
      where table.matches(redirecting) && !RedirectingEventLoop.hasTables(of: table.type) {
        let tables = EventLoopMember.allCases.map { member in
          let copy = table.copy()
          for entry in entries where entry != entries[member.rawValue] {
            copy[entry] = redirecting.words[entry]
          }
          return UnsafeRawPointer(copy)
        }
        RedirectingEventLoop.add(table.type, tables)
        for entry in Set(entries) {
          _ = Tracer.redirect(
            table.words + entry,
            from: table.words[entry],
            to: redirecting.words[entry]
          )
        }
      }
    }
  }

  /// The entry of each member in the tables of all loops; nil if they cannot be determined.
  ///
  /// NIO may add requirements of the protocol anywhere, so the entries are found by trial: in a
  /// copy of one loop's table, one entry at a time is replaced by the entry of another loop. The
  /// entry of a member is the entry whose replacement makes a call of the member reach the other
  /// loop.
  private static func entries(_ redirecting: ConformanceTable) -> [Int]? {
    guard let plain = ConformanceTable(ProbeEventLoop.self), plain.matches(redirecting) else {
      return nil
    }
    let loop = ProbeEventLoop(plain)
    let tried = plain.copy()
    defer { tried.deallocate() }
    var found: [Int] = []
    for member in EventLoopMember.allCases {
      var own: [Int] = []
      for entry in plain.methods {
        tried[entry] = redirecting.words[entry]
        let count = loop.redirectedCallCount
        member.call(ConformanceTable.eventLoop(loop, UnsafeRawPointer(tried)))
        if loop.redirectedCallCount != count { own.append(entry) }
        tried[entry] = plain.words[entry]
      }
      guard own.count == 1 else { return nil }
      found += own
    }
    return found
  }

  /// For each event loop of the program, the number of entries of its table that are redirected;
  /// for tests.
  package static var redirectedEntryCounts: [String: Int] {
    guard let redirecting = ConformanceTable(RedirectingEventLoop.self) else { return [:] }
    var counts: [String: Int] = [:]
    for type in types.compactMap({ _typeByName($0) }) {
      guard let table = ConformanceTable(type) else { continue }
      counts["\(type)"] = table.methods.count { table.words[$0] == redirecting.words[$0] }
    }
    return counts
  }

  /// The addresses of the tables; for tests.
  package static var tableAddresses: [UInt] {
    types.compactMap { _typeByName($0) }.compactMap(ConformanceTable.init).map {
      UInt(bitPattern: $0.words)
    }
  }
}

/// Called when the program is loaded.
@_cdecl("reactive_nio_is_loaded")
func reactiveNIOIsLoaded() { Tracer.onHopsBegin { EventLoopHops.begin() } }
