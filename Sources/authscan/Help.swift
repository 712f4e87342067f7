/// What `--help` prints, in 80 columns.
enum Help {
    /// The words that are commands.
    static let commands = ["explain", "rules", "decode"]

    /// The help on a command; on the whole program for any other word.
    static func text(for command: String?) -> String {
        switch command {
        case "explain": explain
        case "rules": rules
        case "decode": decode
        default: program
        }
    }

    private static let program = """
        authscan: where HTTP authentication breaks in a network capture, and why.

        usage:
          authscan [OPTION...] CAPTURE...   analyse; several files, or those of a
                                            directory, are one capture merged by
                                            time; - is standard input
          authscan --interface NAME         capture on an interface, then analyse
          authscan explain RULE             one rule's page
          authscan rules                    every rule, one a line
          authscan decode [TOKEN|HEADER]    one header field or token, decoded in full

        options, as --name value or --name=value:
          --format text|json     text for people (the default), or schema authscan/1
          --output FILE          write the report to a file that only you can read
          --host NAME            report only the chains of this host, by name or address
          --filter EXPRESSION    analyse only the packets that an expression in
                                 tcpdump's language lets pass, as 'host 192.0.2.1 and
                                 port 80'. It sees a packet's outer headers: not into
                                 tunnels (add 'or udp port 4789' for VXLAN), and of a
                                 fragmented packet the ports in its first part alone
                                 (add 'or ip[6:2] & 0x1fff != 0'). With names for
                                 addresses it asks the DNS.
          --time A..B            analyse only a range of time; either side may be left
                                 out: 2026-01-05T09:00:00Z (RFC 3339), 09:00:00 (UTC,
                                 of the day on which the capture begins), or +12.5
                                 (seconds after its first packet)
          --interface NAME       capture on a network interface until Ctrl-C
          --duration SECONDS     capture for so long
          --write FILE           keep the captured packets in a pcap file
          --fail-on SEVERITY     error (the default), warning, note or never: the
                                 lightest finding that makes the exit status 1
          --show-secrets         do not redact passwords, responses, tokens and
                                 tickets in JSON, nor those in URLs; text never
                                 shows them
          --password-file FILE   hold the captured proofs against the passwords that you
                                 believe right: one a line, or user, tab, password
          --nt-hash-file FILE    the same with NT hashes
          --keytab FILE          open Kerberos tickets with a service's keys, and what
                                 users are sent with their own
          --keylog FILE          decrypt TLS with an NSS key log (SSLKEYLOGFILE)
          --rsa-key FILE         decrypt TLS without forward secrecy with the server's
                                 RSA private key (PEM or DER)
          --color WHEN           auto (the default), always or never; NO_COLOR is
                                 honoured
          --verbose              in text: each exchange's messages, decoded, one field
                                 a line
          --quiet                print no report: the exit status says it all
          --help                 this, or the help on a command before it
          --version              the version
          --                     what follows are files, whatever they start with

        exit status:
           0  analysed; no finding at or above --fail-on
           1  analysed; at least one finding at or above --fail-on
          64  the command line is wrong
          66  no input could be read at all
          70  the report, or the file of --write, could not be written

        examples:
          authscan capture.pcap
          authscan --host intranet.example client.pcapng.gz server.pcapng.gz
          authscan --interface en0 --filter 'tcp or port 88' --write capture.pcap
          tcpdump -i any -w - tcp | authscan -
          authscan --format json capture.pcapng | jq .chains
          authscan decode 'WWW-Authenticate: Negotiate oQcwBaADCgEC'

        """

    private static let explain = """
        usage: authscan explain RULE

        Prints a rule's page: what the capture shows, why that breaks the login, how to
        fix it by side, how to verify, what looks like it and is something else, the
        specifications, and examples. authscan rules lists the rules.

        example:
          authscan explain ntlm-type3-on-new-connection

        """

    private static let rules = """
        usage: authscan rules [--format text|json]

        Lists every rule, one a line: its id, its severity, its title. With
        --format json, all of their pages.

        """

    private static let decode = """
        usage: authscan decode [--format text|json] [--show-secrets]
                               [--password-file FILE] [TOKEN|HEADER]

        Decodes a header field or a bare token (base64, base64url or hexadecimal) down
        to its last flag, or all of them in what a terminal showed: the lines of curl -v
        with their > and < marks, for one. Without an argument it reads standard input.
        The messages of one NTLM handshake are held against each other, and against the
        passwords of a file, one a line. Secrets show their size alone, unless
        --show-secrets is given.

        examples:
          authscan decode TlRMTVNTUAABAAAAB4IIogAAAAAAAAAAAAAAAAAAAAAKAGFKAAAADw==
          authscan decode 'WWW-Authenticate: Digest realm="app", nonce="5f1c"'
          curl -v --ntlm -u alice http://intranet.example 2>&1 | authscan decode

        """
}
