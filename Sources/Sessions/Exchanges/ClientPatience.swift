/// How long a client may be silent before it counts as gone.
///
/// A program answers a challenge at once, and a person who types shows in a later request.
public enum ClientPatience {
    /// In seconds.
    public static let seconds = 10.0
}
