/// One thing to look at or to change.
public struct Advice: Hashable, Sendable {
    /// Who can do it.
    public enum Side: String, Sendable {
        /// Whoever runs the web server or the application behind it.
        case server
        /// The developer of the app; the text names the URLSession and WKWebView symbols where they apply.
        case client
        /// Whoever runs the proxies and load balancers between them.
        case network
    }

    /// Who can do it.
    public let side: Side

    /// What to do, as a sentence.
    public let text: String

    /// Advice for whoever runs the server.
    public static func server(_ text: String) -> Advice { Advice(side: .server, text: text) }

    /// Advice for the developer of the app.
    public static func client(_ text: String) -> Advice { Advice(side: .client, text: text) }

    /// Advice for whoever runs the network in between.
    public static func network(_ text: String) -> Advice { Advice(side: .network, text: text) }
}

/// What `authscan explain` prints, the documentation shows, and the rule's own test runs.
public struct RulePage: Sendable {
    /// The rule's permanent name: kebab-case, the fault, scheme first.
    public let id: String

    /// Names that the rule had before.
    public let formerIDs: [String]

    /// How much a finding matters, as a rule.
    public let severity: Severity

    /// The step of the chain that breaks; `nil` where the chain's own events say it best, or nothing breaks.
    public let step: ChainStep?

    /// What went wrong, as a headline.
    public let title: String

    /// What the capture shows, in one or two sentences.
    public let what: String

    /// Why that breaks or weakens the authentication: the mechanism.
    public let why: String

    /// What to look at or change, most likely first.
    public let fix: [Advice]

    /// How to see that it is mended.
    public let verify: String

    /// What looks like it and is something else.
    public let lookAlikes: [String]

    /// The ids of more general rules that say nothing where this one explains the same refusal.
    public let supersedes: [String]

    /// The ids of rules whose findings are consequences of this one's: they are listed under it, as notes.
    public let explains: [String]

    /// The specification sections that the rule rests on.
    public let sources: [String]

    /// Conversations with a `↓` where the rule finds something.
    public let triggering: [String]

    /// Near misses on which the rule stays silent.
    public let notTriggering: [String]

    /// The names of the samples in which it fires.
    public let samples: [String]

    init(
        id: String,
        formerIDs: [String] = [],
        severity: Severity,
        step: ChainStep? = nil,
        title: String,
        what: String,
        why: String,
        fix: [Advice],
        verify: String,
        lookAlikes: [String] = [],
        supersedes: [String] = [],
        explains: [String] = [],
        sources: [String],
        triggering: [String],
        notTriggering: [String],
        samples: [String] = []
    ) {
        self.id = id
        self.formerIDs = formerIDs
        self.severity = severity
        self.step = step
        self.title = title
        self.what = what
        self.why = why
        self.fix = fix
        self.verify = verify
        self.lookAlikes = lookAlikes
        self.supersedes = supersedes
        self.explains = explains
        self.sources = sources
        self.triggering = triggering
        self.notTriggering = notTriggering
        self.samples = samples
    }
}
