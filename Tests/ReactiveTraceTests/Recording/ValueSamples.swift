import Glibc

/// Types whose values are described in different ways.
enum ValueSamples {
  struct Empty {}
  struct One { var only = 1 }
  struct Fields {
    var name = "a \"quoted\" name"
    var count = -7
    var share = 0.25
    var isOn = true
    var next: [Fields] = []
  }
  struct Generic<Part> {
    var part: Part
    var rest = 9
  }
  struct Pack<each Part> { var parts: (repeat each Part) }
  struct Streamed: TextOutputStreamable {
    func write<Target: TextOutputStream>(to target: inout Target) {
      target.write("stre")
      target.write("amed")
    }
  }
  struct Described: CustomStringConvertible { var description = "described" }
  struct Debugged: CustomDebugStringConvertible { var debugDescription = "debugged" }
  struct All: TextOutputStreamable, CustomStringConvertible, CustomDebugStringConvertible {
    var description: String { "described" }
    var debugDescription: String { "debugged" }
    func write<Target: TextOutputStream>(to target: inout Target) { target.write("streamed") }
  }
  struct Two: TextOutputStreamable, CustomStringConvertible {
    var description: String { "described" }
    func write<Target: TextOutputStream>(to target: inout Target) { target.write("streamed") }
  }
  struct If<Part> { var part: Part }
  struct Reflected: CustomReflectable {
    var hidden = 1
    var customMirror: Mirror { Mirror(self, children: ["shown": 2], displayStyle: .struct) }
  }
  struct LikeATuple: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["shown": 2], displayStyle: .tuple) }
  }
  struct LikeATupleDescribed: CustomReflectable, CustomStringConvertible {
    var description: String { "described" }
    var customMirror: Mirror { Mirror(self, children: ["shown": 2], displayStyle: .tuple) }
  }
  class Object {}
  class Heir: Object, CustomStringConvertible { var description: String { "heir" } }
  final class HeirOfHeir: Heir { override var description: String { "heir of an heir" } }
  class ReflectedObject: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["shown": 2]) }
  }
  final class GenericObject<Part> {}
  actor Worker {}
  struct References {
    weak var weak: Object?
    unowned var unowned: Object
    unowned(unsafe) var unmanaged: Object
    var strong: Object
  }
  @propertyWrapper struct Wrapper<Wrapped> { var wrappedValue: Wrapped }
  struct Special {
    @Wrapper var wrapped = 3
    lazy var late = 4
    var function: @Sendable (Int) -> Int = { $0 }
    var metatype: Int.Type = Int.self
    var anyMetatype: Any.Type = String.self
    var any: Any = 5
    var error: any Error = Failure.plain
    var object: AnyObject = Object()
    var described: any CustomStringConvertible = Described()
    var both: any CustomStringConvertible & Sendable = Described()
    var heir: any Object & CustomStringConvertible = Heir()
    var void: Void = ()
    var tuple: (a: Int, Int, (b: Int, Bool)) = (1, 2, (3, true))
    static let unseen = 1
    var computed: Int { 1 }
  }
  struct Parameterised { var part: any Collection<Int> = [1, 2] }
  enum Failure: Error { case plain, coded(Int), named(code: Int, text: String) }
  enum Plain { case first, second, `default`, `a b` }
  enum Raw: String { case one = "eins", two }
  enum Single { case only }
  enum Payload<Part> {
    case none
    case one(Part)
    case labelled(value: Part)
    case two(Part, Int)
    case both(first: Part, second: String)
    case tuple((Part, Part))
    case optional(Part?)
    case any(Any)
    indirect case inner(Payload<Part>)
    case array([Payload<Part>])
    case function(@Sendable () -> Void)
    case void(Void)
  }
  indirect enum List { case end, link(Int, List) }
  enum Tree { case leaf, branch([Tree]) }
  enum Named: CustomStringConvertible {
    case one(Int)
    var description: String { "named" }
  }
  enum ReflectedCase: CustomReflectable {
    case one(Int)
    var customMirror: Mirror { Mirror(self, children: ["shown": 2]) }
  }
  enum Many: UInt8 {
    case c00, c01, c02, c03, c04, c05, c06, c07, c08, c09, c10, c11, c12, c13, c14, c15, c16, c17
    case c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, c35
    case c36, c37, c38, c39, c40, c41, c42, c43, c44, c45, c46, c47, c48, c49, c50, c51, c52, c53
    case c54, c55, c56, c57, c58, c59, c60, c61, c62, c63, c64, c65, c66, c67, c68, c69, c70, c71
  }
  struct Options: OptionSet {
    var rawValue: Int
    static let first = Options(rawValue: 1)
  }
  /// Counts how often its values are described.
  struct Counting: CustomStringConvertible {
    final class Count { var calls = 0 }
    let count: Count
    var description: String {
      count.calls += 1
      return "counted"
    }
  }

  static let cTime = timeval(tv_sec: 3, tv_usec: 4)
  static let cUnion = in6_addr()
  static let cBits = tcphdr()
}

extension ValueSamples.If: CustomStringConvertible where Part == Int {
  var description: String { "if" }
}

extension ValueSamples.Empty {
  /// A value of a type whose name contains that of a private type.
  static var hidden: Any { Hidden.Inner(value: Hidden()) }
  fileprivate struct Hidden {
    fileprivate struct Inner<Part> { var value: Part }
  }
}
