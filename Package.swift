// swift-tools-version: 6.2
import PackageDescription

/// What every target is built with: unsafe code must say so, warnings stop the build, imports are private by default.
let settings: [SwiftSetting] = [
    .strictMemorySafety(), .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A target at `Sources/<folder>`; the prefix keeps its module from colliding with those of the library's clients.
func module(_ folder: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: "AuthScan\(folder)",
        dependencies: dependencies,
        path: "Sources/\(folder)",
        swiftSettings: settings
    )
}

/// The tests of `Sources/<folder>`, which mirror it file by file.
func tests(of folder: String, module: String? = nil, uses dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(folder)Tests",
        dependencies: [.target(name: module ?? "AuthScan\(folder)"), "TestSupport"] + dependencies,
        path: "Tests/\(folder)Tests",
        swiftSettings: settings
    )
}

let package = Package(
    name: "authscan",
    // The first one that hands out the bytes of an array as a span.
    platforms: [.macOS(.v26)],
    products: [
        .library(
            name: "AuthScanKit",
            targets: [
                "AuthScanKit", "AuthScanBytes", "AuthScanWire", "AuthScanSchemes", "AuthScanSessions",
                "AuthScanProof", "AuthScanDiagnosis", "AuthScanReport", "AuthScanCaptureIO",
            ]
        ),
        .executable(name: "authscan", targets: ["authscan"]),
    ],
    targets: [
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(name: "CLibzstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .systemLibrary(name: "CLiblz4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]),
        .systemLibrary(name: "CLibpcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"]), .brew(["libpcap"])]),
        .systemLibrary(
            name: "CLibcrypto",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .systemLibrary(
            name: "CNGHTTP2",
            pkgConfig: "libnghttp2",
            providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]
        ),
        .systemLibrary(name: "CMemory"),
        module("NativeCodecs", uses: ["CLibcrypto", "CNGHTTP2", "CMemory", "CZlib", "CLibzstd", "CLiblz4"]),
        module("Bytes"),
        module("Wire", uses: ["AuthScanBytes", "AuthScanNativeCodecs"]),
        module("Schemes", uses: ["AuthScanBytes"]),
        module("Sessions", uses: ["AuthScanNativeCodecs", "AuthScanBytes", "AuthScanWire", "AuthScanSchemes"]),
        module(
            "Proof",
            uses: ["AuthScanNativeCodecs", "AuthScanBytes", "AuthScanWire", "AuthScanSchemes", "AuthScanSessions"]
        ),
        module("Diagnosis", uses: ["AuthScanBytes", "AuthScanWire", "AuthScanSchemes", "AuthScanSessions"]),
        module(
            "Report",
            uses: [
                "AuthScanBytes", "AuthScanWire", "AuthScanSchemes", "AuthScanSessions", "AuthScanProof",
                "AuthScanDiagnosis",
            ]
        ),
        module("CaptureIO", uses: ["CLibpcap", "CMemory", "AuthScanNativeCodecs", "AuthScanBytes", "AuthScanWire"]),
        .target(
            name: "AuthScanKit",
            dependencies: [
                "AuthScanBytes", "AuthScanWire", "AuthScanSchemes", "AuthScanSessions", "AuthScanProof",
                "AuthScanDiagnosis", "AuthScanReport", "AuthScanCaptureIO",
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "authscan",
            dependencies: [
                "AuthScanKit", "AuthScanWire", "AuthScanProof", "AuthScanDiagnosis", "AuthScanReport",
                "AuthScanCaptureIO",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "TestSupport",
            dependencies: ["AuthScanNativeCodecs"],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "TestPipeline",
            dependencies: [
                "AuthScanBytes", "AuthScanWire", "AuthScanSessions", "AuthScanProof", "AuthScanDiagnosis",
                "TestSupport",
            ],
            path: "Tests/TestPipeline",
            swiftSettings: settings
        ),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "AuthScanBytes", "AuthScanWire", "AuthScanSchemes", "AuthScanSessions", "AuthScanDiagnosis",
                "AuthScanReport",
            ],
            path: "Tests/Fuzz/Sources/FuzzTargets",
            swiftSettings: settings
        ),
        .testTarget(
            name: "TestSupportTests",
            dependencies: ["TestSupport"],
            path: "Tests/TestSupportTests",
            swiftSettings: settings
        ),
        .testTarget(name: "HouseTests", swiftSettings: settings),
        // Another reader of capture files as the yardstick of ours.
        .testTarget(
            name: "LibpcapTests",
            dependencies: ["CLibpcap", "AuthScanBytes", "AuthScanWire", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"], swiftSettings: settings),
        tests(of: "Bytes"),
        tests(of: "NativeCodecs"),
        tests(of: "Wire", uses: ["AuthScanBytes", "AuthScanNativeCodecs", "TestPipeline"]),
        tests(of: "Schemes"),
        tests(of: "Sessions", uses: ["AuthScanWire", "AuthScanSchemes", "TestPipeline"]),
        tests(
            of: "Proof",
            uses: [
                "AuthScanBytes", "AuthScanNativeCodecs", "AuthScanSchemes", "AuthScanSessions", "AuthScanWire",
                "TestPipeline",
            ]
        ),
        tests(of: "Diagnosis", uses: ["AuthScanSessions", "AuthScanWire", "TestPipeline"]),
        tests(
            of: "Report",
            uses: ["AuthScanBytes", "AuthScanWire", "AuthScanProof", "AuthScanDiagnosis", "TestPipeline"]
        ),
        tests(of: "CaptureIO", uses: ["AuthScanNativeCodecs", "AuthScanWire"]),
        tests(of: "AuthScanKit", module: "AuthScanKit", uses: ["AuthScanReport", "AuthScanWire"]),
        tests(of: "authscan", module: "authscan", uses: ["AuthScanDiagnosis"]),
    ]
)
