extension Event {
  /// The value; nil for a failure and for completion.
  @inlinable public var value: Value? {
    if case .next(let value) = self { value } else { nil }
  }

  /// The failure; nil for a value and for completion.
  @inlinable public var failure: Failure? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// The same event with another value; failures and completion are unchanged.
  ///
  /// - Parameter transform: Called if the event is a value.
  /// - Returns: An event of the same kind.
  @inlinable
  public func map<Result: Sendable>(_ transform: (Value) -> Result) -> Event<Result, Failure> {
    switch self {
    case .next(let value): .next(transform(value))
    case .failed(let error): .failed(error)
    case .completed: .completed
    }
  }

  /// The same event with another failure; values and completion are unchanged.
  ///
  /// - Parameter transform: Called if the event is a failure.
  /// - Returns: An event of the same kind.
  @inlinable
  public func mapFailure<NewFailure: Error>(
    _ transform: (Failure) -> NewFailure
  ) -> Event<Value, NewFailure> {
    switch self {
    case .next(let value): .next(value)
    case .failed(let error): .failed(transform(error))
    case .completed: .completed
    }
  }
}

extension Event: Hashable where Value: Hashable, Failure: Hashable {
  /// Hashes the kind of the event and its value or failure.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .next(let value):
      hasher.combine(0)
      hasher.combine(value)
    case .failed(let error):
      hasher.combine(1)
      hasher.combine(error)
    case .completed: hasher.combine(2)
    }
  }
}

/// The keys of an encoded event: `{"next": 1}`, `{"failed": …}`, `{"completed": true}`.
private enum EventKey: String, CodingKey {
  case next
  case failed
  case completed
}

extension Event: Encodable where Value: Encodable, Failure: Encodable {
  /// Writes one key: `next` with the value, `failed` with the failure, or `completed` with `true`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: EventKey.self)
    switch self {
    case .next(let value): try container.encode(value, forKey: .next)
    case .failed(let error): try container.encode(error, forKey: .failed)
    case .completed: try container.encode(true, forKey: .completed)
    }
  }
}

extension Event: Decodable where Value: Decodable, Failure: Decodable {
  /// Reads what ``encode(to:)`` wrote.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError` if the decoder holds no event.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: EventKey.self)
    switch container.allKeys.first {
    case .next: self = .next(try container.decode(Value.self, forKey: .next))
    case .failed: self = .failed(try container.decode(Failure.self, forKey: .failed))
    case .completed: self = .completed
    case nil:
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath,
          debugDescription: "an event must have exactly one of the keys next, failed and completed"
        )
      )
    }
  }
}
