import CReactiveTraceShims
import Glibc
import Runtime
import TraceReading

/// A stack of this process as a trace has it: return addresses and images.
struct RecordedStack {
  var addresses: [UInt64]
  var images: [TraceImage]

  /// The stack from the caller outwards.
  @inline(never)
  static func capture() throws -> RecordedStack {
    let backtrace = try Backtrace.capture(algorithm: .fast)
    let addresses = backtrace.frames.compactMap { frame -> UInt64? in
      guard case .returnAddress(let address) = frame else { return nil }
      return UInt64(address)
    }
    return RecordedStack(addresses: addresses, images: loadedImages())
  }

  /// What is loaded into this process, found out as the recorder does.
  ///
  /// `ImageMap.capture()` would not do: it takes the files for loaded that were mapped to look symbols up.
  static func loadedImages() -> [TraceImage] {
    var images: [TraceImage] = []
    withUnsafeMutablePointer(to: &images) { images in
      rxt_each_image(
        { loaded, images in
          let image = RecordedStack.image(loaded.pointee)
          images.assumingMemoryBound(to: [TraceImage].self).pointee.append(image)
        },
        images
      )
    }
    return images
  }

  private static func image(_ loaded: rxt_image) -> TraceImage {
    var image = TraceImage()
    let path = String(cString: loaded.path)
    image.path = path.isEmpty ? executable : path
    image.base = loaded.base
    image.endOfText = loaded.end_of_text
    if let start = loaded.build_id {
      let bytes = UnsafeBufferPointer(start: start, count: Int(loaded.build_id_size))
      image.buildID = Array(bytes)
    }
    return image
  }

  private static var executable: String {
    guard let path = realpath("/proc/self/exe", nil) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }

  /// The image that the first address lies in: the tests themselves.
  var own: Int? {
    addresses.first.flatMap { address in
      images.firstIndex { $0.base <= address && address < $0.endOfText }
    }
  }
}
