"""An NTLM acceptor (pyspnego) whose challenge describes a member server of the domain CORP."""
import os
import socket

import spnego
import spnego._ntlm
from spnego._ntlm_raw.messages import AvId, Challenge, FileTime, Negotiate, NegotiateFlags, TargetInfo, Version


def _challenge(proxy, token):
    """Stands in for pyspnego's own step, which describes a stand-alone server and sends fewer names than a member server does."""
    negotiate = Negotiate.unpack(token)
    flags = negotiate.flags
    flags |= NegotiateFlags.request_target | NegotiateFlags.ntlm | NegotiateFlags.always_sign
    flags |= NegotiateFlags.target_info | NegotiateFlags.target_type_domain | NegotiateFlags.version
    if flags & NegotiateFlags.unicode:
        flags &= ~NegotiateFlags.oem
    if flags & NegotiateFlags.extended_session_security:
        flags &= ~NegotiateFlags.lm_key
    host = socket.gethostname()
    info = TargetInfo()
    info[AvId.nb_domain_name] = "CORP"
    info[AvId.nb_computer_name] = host.upper()
    info[AvId.dns_domain_name] = "corp.example"
    info[AvId.dns_computer_name] = f"{host}.corp.example"
    info[AvId.timestamp] = FileTime.now()
    challenge = Challenge(flags, os.urandom(8), target_name="CORP", target_info=info, version=Version(10, 0, 20348))
    proxy._temp_negotiate, proxy._temp_challenge = negotiate, challenge
    return challenge.pack()


spnego._ntlm.NTLMProxy._step_accept_negotiate = _challenge


def acceptor():
    """A context for one handshake; accounts come from the file that NTLM_USER_FILE names (DOMAIN:USER:PASSWORD)."""
    return spnego.server(hostname=socket.gethostname(), service="HTTP", protocol="ntlm")
