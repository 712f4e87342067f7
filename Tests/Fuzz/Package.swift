// swift-tools-version: 6.2
import PackageDescription

/// The parsers that are fuzzed; `Sources/FuzzTargets` says what must hold for each.
let parsers = [
    "CaptureReader", "HTTPStream", "Challenge", "NTLM", "SPNEGO", "Kerberos", "Digest", "JWT", "Paste", "Report",
    "TLS", "HTTP2", "Certificate", "KeyLog",
]

let settings: [SwiftSetting] = [
    .strictMemorySafety(), .treatAllWarnings(as: .error), .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "authscan", path: "../..")],
    targets: [
        .target(name: "FuzzTargets", dependencies: [.product(name: "AuthScanKit", package: "authscan")]),
        .target(name: "FuzzDriver", dependencies: ["FuzzTargets"], swiftSettings: settings),
    ]
        + parsers.map { parser in
            .executableTarget(name: "Fuzz\(parser)", dependencies: ["FuzzDriver"], swiftSettings: settings)
        }
)
