"""Writes the sections "Conversation" and "Decoded tokens" of a sample's page anew from its capture.

usage: page.py CAPTURE PAGE        needs tshark
"""
import base64
import re
import subprocess
import sys

NTLM_NAMES = {1: "NEGOTIATE_MESSAGE", 2: "CHALLENGE_MESSAGE", 3: "AUTHENTICATE_MESSAGE"}
NEG_STATES = {0: "accept-completed", 1: "accept-incomplete", 2: "reject", 3: "request-mic"}
KERBEROS_NAMES = {10: "AS-REQ", 11: "AS-REP", 12: "TGS-REQ", 13: "TGS-REP", 30: "KRB-ERROR"}
KERBEROS_OID = bytes.fromhex("06092a864886f712010202")
SHOWN = """authorization proxy-authorization www-authenticate proxy-authenticate authentication-info location set-cookie
    cookie transfer-encoding content-encoding expect""".split()
DIGEST_SHOWN = "nonce uri nc qop stale nextnonce".split()

FIELDS = """frame.number frame.time_relative tcp.stream ip.src ipv6.src tcp.srcport ip.dst ipv6.dst tcp.dstport tcp.flags.syn
    tcp.flags.ack tcp.flags.fin tcp.flags.reset http.request.method http.request.uri http.response.code http.response.phrase
    http.request.line http.response.line udp.srcport kerberos.msg_type kerberos.error_code http.user_agent""".split()
TOKEN_FIELDS = {
    "NegotiateFlags": "ntlmssp.negotiateflags",
    "ServerChallenge": "ntlmssp.ntlmserverchallenge",
    "TargetName": "ntlmssp.challenge.target_name",
    "MsvAvNbComputerName": "ntlmssp.challenge.target_info.nb_computer_name",
    "MsvAvDnsComputerName": "ntlmssp.challenge.target_info.dns_computer_name",
    "MsvAvTimestamp": "ntlmssp.challenge.target_info.timestamp",
    "DomainName": "ntlmssp.auth.domain",
    "UserName": "ntlmssp.auth.username",
    "Workstation": "ntlmssp.auth.hostname",
    "NTProofStr": "ntlmssp.ntlmv2_response.ntproofstr",
    "MIC": "ntlmssp.authenticate.mic",
    "realm": "kerberos.realm",
    "sname": "kerberos.SNameString",
    "etype": "kerberos.etype",
    "negState": "spnego.negResult",
}


def tshark(capture, fields, display_filter):
    """Yields a dictionary of field name → list of values for each frame that passes the filter."""
    command = ["tshark", "-n", "-r", capture, "-Y", display_filter, "-T", "fields", "-E", "separator=/t", "-E", "aggregator=|"]
    for field in fields:
        command += ["-e", field]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for line in output.splitlines():
        values = (line + "\t" * len(fields)).split("\t")
        yield {field: [v for v in value.split("|") if v] for field, value in zip(fields, values)}


def describe_token(token):
    at = token.find(b"NTLMSSP\0")
    names = []
    if token[:1] == b"\x60":
        names.append("NegTokenInit")
    if token[:1] == b"\xa1":
        state = re.search(rb"\xa0\x03\x0a\x01(.)", token, re.DOTALL)
        names.append("NegTokenResp" + (f" {NEG_STATES[state[1][0]]}" if state else ""))
    if at >= 0:
        names.append(NTLM_NAMES[token[at + 8]])
    elif KERBEROS_OID in token:
        names.append("Kerberos AP-REQ" if token[:1] == b"\x60" else "Kerberos AP-REP")
    return ", ".join(names)


def describe_field(name, value):
    scheme, _, rest = value.partition(" ")
    if scheme in ("NTLM", "Negotiate") and rest:
        return f"{name}: {scheme} {describe_token(base64.b64decode(rest))}"
    if scheme == "Basic" and "uthorization" in name:
        return f"{name}: Basic {base64.b64decode(rest).decode()}"
    if scheme == "Digest" or name.lower() == "authentication-info":
        parts = re.findall(r'(\w+)=("[^"]*"|[^\s,]+)', value)
        shown = [f"{key}={item[:9] + '…' + chr(34) if len(item) > 40 else item}" for key, item in parts if key in DIGEST_SHOWN]
        return f"{name}: {'Digest ' if scheme == 'Digest' else ''}{', '.join(shown)}"
    return f"{name}: {value}"


def shown_fields(lines):
    for line in lines:
        name, _, value = line.replace("\\r\\n", "").strip().partition(": ")
        if name.lower() in SHOWN or (name.lower() == "connection" and value.lower() == "close"):
            yield describe_field(name, value)


def first(frame, *names):
    return next((frame[name][0] for name in names if frame[name]), "")


def messages(frame, agent_matters):
    """The texts for one frame, each with its direction."""
    methods, lines = frame["http.request.method"], frame["http.request.line"]
    if frame["kerberos.msg_type"] and not methods and not frame["http.response.code"]:
        kinds = [KERBEROS_NAMES.get(int(kind)) for kind in frame["kerberos.msg_type"]]
        error = f" {frame['kerberos.error_code'][0]}" if frame["kerberos.error_code"] else ""
        return [("<" if first(frame, "udp.srcport") == "88" else ">", next(k for k in kinds if k) + error)]
    texts = []
    starts = [index for index, line in enumerate(lines) if line.lower().startswith("host:")] + [len(lines)]
    for index, method in enumerate(methods):
        own = lines if len(methods) == 1 else lines[starts[index] : starts[index + 1]]
        agent = [f"User-Agent: {first(frame, 'http.user_agent') or '(none)'}"] if agent_matters else []
        texts.append((">", "   ".join([f"{method} {frame['http.request.uri'][index]}", *agent, *shown_fields(own)])))
    for code, phrase in zip(frame["http.response.code"], frame["http.response.phrase"]):
        texts.append(("<", "   ".join([f"{code} {phrase}", *shown_fields(frame["http.response.line"])])))
    return texts


def conversation(capture):
    agent_matters = "user-agent" in capture
    yield from ["Frame, connection, seconds, direction (> from the client), message. Long values are cut at …", "", "```"]
    clients = {}
    display_filter = "http or tcp.flags.syn==1 or tcp.flags.fin==1 or tcp.flags.reset==1 or (udp and kerberos)"
    for frame in tshark(capture, FIELDS, display_filter):
        stream = first(frame, "tcp.stream") or "-"
        head = f"{first(frame, 'frame.number'):>4} {stream:>2} {float(first(frame, 'frame.time_relative')):7.3f}"
        source = f"{first(frame, 'ip.src', 'ipv6.src')}:{first(frame, 'tcp.srcport')}"
        flag = lambda name: first(frame, f"tcp.flags.{name}") in ("1", "True")
        if flag("syn") and not flag("ack"):
            clients[stream] = source
            yield f"{head} > SYN {source} → {first(frame, 'ip.dst', 'ipv6.dst')}:{first(frame, 'tcp.dstport')}"
        for direction, text in messages(frame, agent_matters):
            yield f"{head} {direction} {text}"
        for name in ("fin", "reset"):
            if flag(name):
                yield f"{head} {'>' if clients.get(stream) == source else '<'} {'FIN' if name == 'fin' else 'RST'}"
    yield "```"


def token_value(label, values):
    if label in ("ServerChallenge", "NTProofStr", "MIC"):
        return values[0].replace(":", "")
    if label == "negState":
        return NEG_STATES[int(values[0])]
    return "/".join(values) if label == "sname" else values[0].replace("NULL", "(empty)")


def tokens(capture):
    """One line for each frame whose HTTP authentication field holds a token."""
    fields = ["frame.number", "ntlmssp.messagetype", *TOKEN_FIELDS.values()]
    for frame in tshark(capture, fields, "http and (ntlmssp or gss-api or spnego)"):
        kind = NTLM_NAMES.get(int((frame["ntlmssp.messagetype"] or ["0"])[0], 16), "SPNEGO")
        parts = []
        for label, field in TOKEN_FIELDS.items():
            if frame[field]:
                parts.append(f"{label} `{token_value(label, frame[field])}`")
        yield f"- Frame {frame['frame.number'][0]}, {kind}: " + ", ".join(parts)


def replace_section(page, title, lines):
    section = f"## {title}\n\n" + "\n".join(lines) + "\n"
    return re.sub(rf"## {title}\n.*?(?=\n## |\Z)", lambda _: section, page, count=1, flags=re.DOTALL)


capture, path = sys.argv[1:]
with open(path) as file:
    text = file.read()
text = replace_section(text, "Conversation", conversation(capture))
text = replace_section(text, "Decoded tokens", tokens(capture))
with open(path, "w") as file:
    file.write(text)
