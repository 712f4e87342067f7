/// What `authscan --help` prints.
let helpText = """
    authscan: where HTTP authentication breaks in a network capture, and why.

    usage:
      authscan [OPTION...] CAPTURE...   analyse; several files are one capture,
                                        - is standard input
      authscan explain RULE             one rule's page
      authscan rules [--format json]    every rule, one a line
      authscan decode [TOKEN|HEADER]    one header field or token, decoded in full
                                        (from standard input without an argument)

    options:
      --format text|json     text for people (the default), or schema authscan/1
      --output FILE          write the report to a file that only you can read
      --fail-on SEVERITY     error (the default), warning, note or never: what
                             makes the exit status 1
      --show-secrets         do not redact passwords, responses and tokens
                             (JSON and decode)
      --keylog FILE          accepted; this version does not decrypt TLS
      --color WHEN           auto (the default), always or never; NO_COLOR counts
      --quiet                print nothing, say it with the exit status
      --version, --help

    exit status:
       0  analysed; no finding at or above --fail-on
       1  analysed; at least one finding at or above --fail-on
      64  the command line is wrong
      66  no input could be read at all
      70  the report could not be written

    examples:
      authscan capture.pcap
      tcpdump -i any -w - tcp | authscan -
      authscan --format json capture.pcapng.gz | jq .chains
      authscan decode 'WWW-Authenticate: Negotiate oRUwE6ADCgEC'

    """
