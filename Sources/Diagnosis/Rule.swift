/// One way in which HTTP authentication breaks.
///
/// A rule is a value without state. It sees a chain, never another rule's findings, and says what the bytes prove. A
/// rule that concludes from absence returns `.cannotTell` where a gap, a cut packet, a missing start or the end of the
/// capture could hide what it misses.
public protocol Rule: Sendable {
    /// Everything a reader needs to know about the rule.
    var page: RulePage { get }

    /// What a chain must have for the rule to have anything to say; by default nothing.
    ///
    /// The rule is not asked about a chain that lacks any of it.
    var needs: ChainTraits { get }

    /// The places in a chain where the rule applies.
    func findings(in chain: Chain) -> Outcome
}

extension Rule {
    /// Nothing: the rule is asked about every chain.
    public var needs: ChainTraits { [] }
}
