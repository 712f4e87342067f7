"""Squid's NTLM helper protocol: YR (a client's type 1) is answered by TT (type 2), KK (type 3) by AF (accepted) or NA (not)."""
import base64
import sys

from ntlm_acceptor import acceptor

context = None
for line in sys.stdin:
    command, token = (line.split() + ["", ""])[:2]
    try:
        if command == "YR":
            context = acceptor()
            print("TT", base64.b64encode(context.step(base64.b64decode(token))).decode(), flush=True)
        elif command == "KK":
            context.step(base64.b64decode(token))
            print("AF", context.client_principal, flush=True)
        else:
            print("BH unknown command", flush=True)
    except Exception as error:
        print("NA", type(error).__name__, flush=True)
