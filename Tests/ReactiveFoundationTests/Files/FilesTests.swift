import Foundation
import Glibc
import Reactive
import ReactiveFoundation
import ReactiveTesting
import Testing

@Suite struct FileHandleTests {
  @Test func aPipeIsReadToItsEndAsDataArrives() throws {
    let pipe = Pipe()
    let (inbox, _) = pipe.fileHandleForReading.reactive.data().received()
    try pipe.fileHandleForWriting.write(contentsOf: Data("one".utf8))
    #expect(inbox.wait(forValues: 1))
    #expect(inbox.values == [Data("one".utf8)])
    try pipe.fileHandleForWriting.close()
    #expect(inbox.waitForEnd() && inbox.isCompleted)
  }

  @Test func linesAreNeverSplit() throws {
    let pipe = Pipe()
    let (inbox, _) = pipe.fileHandleForReading.reactive.lines().received()
    try pipe.fileHandleForWriting.write(contentsOf: Data("one\ntw".utf8))
    #expect(inbox.wait(forValues: 1))
    try pipe.fileHandleForWriting.write(contentsOf: Data("o".utf8))
    try pipe.fileHandleForWriting.close()
    #expect(inbox.waitForEnd())
    #expect(inbox.values == ["one", "two"])
  }

  @Test func theHandleMayBeReleasedWhileItIsRead() throws {
    var pipe: Pipe? = Pipe()
    let writer = try #require(pipe?.fileHandleForWriting)
    let inbox = try #require(pipe?.fileHandleForReading.reactive.data().received().inbox)
    try writer.write(contentsOf: Data("a".utf8))
    #expect(inbox.wait(forValues: 1))
    try pipe?.fileHandleForReading.close()
    pipe = nil
    try writer.write(contentsOf: Data("b".utf8))
    try writer.close()
    #expect(inbox.waitForEnd() && inbox.isCompleted)
    #expect(inbox.values.reduce(Data(), +) == Data("ab".utf8))
  }

  @Test func dataWrittenToAPipeIsRead() throws {
    let pipe = Pipe()
    let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    let written = pipe.fileHandleForWriting.reactive.write(data).received().inbox
    let read = pipe.fileHandleForReading.reactive.data(atMost: 1000).received().inbox
    #expect(written.waitForEnd() && written.isCompleted)
    #expect(written.values.last == data.count)
    try pipe.fileHandleForWriting.close()
    #expect(read.waitForEnd())
    #expect(read.values.reduce(Data(), +) == data)
    #expect(read.values.allSatisfy { $0.count <= 1000 })
  }

  @Test func neitherDescriptorsNorClosuresLeak() async {
    await #expect(processExitsWith: .success) {
      #expect(Data.contents(of: URL(fileURLWithPath: "/dev/null")).received().inbox.waitForEnd())
      let warm = Pipe()
      warm.fileHandleForReading.reactive.data().received().subscription.dispose()
      let lives = LifeCount()
      let before = openDescriptors()
      for round in 0..<20 {
        let pipe = Pipe()
        let (inbox, subscription) = pipe.fileHandleForReading.reactive.data()
          .doNext { [token = lives.token()] _ in token.touch() }.received()
        try pipe.fileHandleForWriting.write(contentsOf: Data("a".utf8))
        #expect(inbox.wait(forValues: 1))
        if round % 2 == 0 { subscription.dispose() }
        try pipe.fileHandleForWriting.close()
        #expect(round % 2 == 0 || inbox.waitForEnd())
      }
      #expect(eventually { lives.count == 0 }, "\(lives.count) closures left")
      #expect(eventually { openDescriptors() <= before }, "\(openDescriptors()) of \(before)")
    }
  }

  @Test func appearsInATraceWithNamePlaceOwnerAndHops() async {
    await #expect(processExitsWith: .success) {
      let pipe = Pipe()
      let handle = pipe.fileHandleForReading
      let trace = try TracedBridge.record({ (handle.reactive.data(), #line) }) { inbox in
        try pipe.fileHandleForWriting.write(contentsOf: Data("a".utf8))
        #expect(inbox.wait(forValues: 1))
        try pipe.fileHandleForWriting.close()
        #expect(inbox.waitForEnd())
      }
      try trace.expect("data", hopsOn: "descriptors")
    }
  }
}

@Suite struct ContentsTests {
  @Test func writtenDataIsReadAsAWholeInPiecesAndInLines() throws {
    let folder = try TestFolder()
    let file = folder.file("some.txt")
    let text = (0..<1000).map { "line \($0)\n" }.joined()
    let written = Data(text.utf8).writing(to: file).received().inbox
    #expect(written.waitForEnd())
    #expect(written.values.last == text.utf8.count)
    let whole = Data.contents(of: file).received().inbox
    #expect(whole.waitForEnd() && whole.isCompleted)
    #expect(whole.values == [Data(text.utf8)])
    let string = String.contents(of: file).received().inbox
    #expect(string.waitForEnd())
    #expect(string.values == [text])
    let pieces = Data.pieces(of: file, atMost: 100).received().inbox
    #expect(pieces.waitForEnd())
    #expect(pieces.values.allSatisfy { $0.count <= 100 })
    #expect(pieces.values.reduce(Data(), +) == Data(text.utf8))
    let lines = String.lines(of: file).received().inbox
    #expect(lines.waitForEnd())
    #expect(lines.values.count == 1000 && lines.values.last == "line 999")
  }

  @Test func writingReplacesTheContents() throws {
    let folder = try TestFolder()
    let file = folder.file("some")
    for text in ["long text", "short"] {
      #expect(Data(text.utf8).writing(to: file).received().inbox.waitForEnd())
    }
    #expect(try Data(contentsOf: file) == Data("short".utf8))
  }

  @Test func failuresNameTheOperationAndTheReason() throws {
    let missing = Data.contents(of: URL(fileURLWithPath: "/not/there")).received().inbox
    #expect(missing.waitForEnd())
    #expect(
      missing.failure?.description == "reading '/not/there' failed: No such file or directory (2)"
    )
    let address = try #require(URL(string: "http://localhost/"))
    let remote = Data.pieces(of: address).received().inbox
    #expect(remote.waitForEnd())
    #expect(remote.failure?.code == EPROTONOSUPPORT)
    let folder = try TestFolder()
    try Data([0xff, 0xfe, 0xff]).write(to: folder.file("bad"))
    let text = String.contents(of: folder.file("bad")).received().inbox
    #expect(text.waitForEnd())
    #expect(text.failure?.code == EILSEQ)
  }

  @Test func appearsInATraceWithNamePlaceOwnerAndHops() async {
    await #expect(processExitsWith: .success) {
      let url = URL(fileURLWithPath: #filePath)
      let files = QueueScheduler(label: "files")
      let trace = try TracedBridge.record({ (Data.contents(of: url, on: files), #line) }) { inbox in
        #expect(inbox.waitForEnd())
      }
      try trace.expect("contents(of:)", hopsOn: "files")
    }
  }
}
