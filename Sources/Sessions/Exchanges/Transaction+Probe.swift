extension Transaction {
    /// Whether the request is a health check, as its User-Agent says: it is not meant to log in, and nobody misses its answer.
    public var isProbe: Bool {
        guard let agent = userAgentBytes else { return false }
        return Transaction.probes.contains { agent.starts(with: $0.utf8) }
    }

    /// What the User-Agents of orchestrators, load balancers and monitoring begin with.
    private static let probes: [String] = [
        "kube-probe/", "ELB-HealthChecker/", "GoogleHC/", "Amazon-Route53-Health-Check", "Zabbix",
        "check_http/",
        "Blackbox Exporter/", "Prometheus/", "UptimeRobot/", "Mozilla/5.0+(compatible; UptimeRobot", "Pingdom.com_bot",
        "Site24x7", "Consul Health Check", "Edge Health Probe", "Load Balancer Agent",
    ]
}
