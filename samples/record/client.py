"""Clients that behave in ways for which curl has no option.  usage: client.py BEHAVIOUR URL..."""
import base64
import http.client
import socket
import sys
import time
from urllib.parse import urlsplit

import requests
import spnego
from requests.auth import HTTPDigestAuth

PASSWORD = "Sample-Pass-1"
BASIC = "Basic " + base64.b64encode(f"alice:{PASSWORD}".encode()).decode()
USER_AGENT = "SampleClient/1.0"


def connect(url):
    return http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)


def get(connection, url, authorization=None):
    """Sends one request and prints its status; returns the token of the challenge, if there is one."""
    fields = {"User-Agent": USER_AGENT}
    if authorization:
        fields["Authorization"] = authorization
    connection.request("GET", urlsplit(url).path, headers=fields)
    response = connection.getresponse()
    response.read()
    print(response.status, url)
    return base64.b64decode((response.getheader("WWW-Authenticate", "") + " ").split(" ")[1])


def token_field(scheme, token):
    return f"{scheme} {base64.b64encode(token).decode()}"


def first_request_only(urls):
    """Sets Authorization by hand on the first request and forgets it on the others."""
    connection = connect(urls[0])
    for url in urls:
        get(connection, url, BASIC if url == urls[0] else None)
    connection.close()


def new_connection(urls):
    """Closes after the NTLM challenge and sends the answer on a second connection."""
    for url in urls:
        context = spnego.client("CORP\\alice", PASSWORD, hostname=urlsplit(url).hostname, service="HTTP", protocol="ntlm")
        first = connect(url)
        challenge = get(first, url, token_field("NTLM", context.step()))
        first.close()
        second = connect(url)
        get(second, url, token_field("NTLM", context.step(challenge)))
        second.close()


def negotiate_without_ticket(urls):
    """Answers Negotiate with SPNEGO whose only mechanism is NTLM, as a client does that has no Kerberos ticket."""
    options = spnego.NegotiateOptions.use_negotiate
    connection = connect(urls[0])
    get(connection, urls[0])
    context = spnego.client("CORP\\alice", PASSWORD, hostname=urlsplit(urls[0]).hostname, protocol="negotiate", options=options)
    get(connection, urls[0], token_field("Negotiate", context.step()))
    connection.close()


def digest_pause(urls):
    """A Digest session with a pause, longer than the nonce lives, before the last but one request."""
    session = requests.Session()
    session.headers["User-Agent"] = USER_AGENT
    session.auth = HTTPDigestAuth("alice", PASSWORD)
    for url in urls:
        if url == urls[-2]:
            time.sleep(3.5)
        print(session.get(url).status_code, url)


def pipeline(urls):
    """Sends all requests at once; the third is a HEAD, the last asks the server to close."""
    connection = socket.create_connection((urlsplit(urls[0]).hostname, 80))
    requests_text = ""
    for index, url in enumerate(urls):
        requests_text += f"{'HEAD' if index == 2 else 'GET'} {urlsplit(url).path} HTTP/1.1\r\n"
        requests_text += f"Host: {urlsplit(url).netloc}\r\nUser-Agent: {USER_AGENT}\r\nAuthorization: {BASIC}\r\n"
        requests_text += "Connection: close\r\n\r\n" if url == urls[-1] else "\r\n"
    connection.sendall(requests_text.encode())
    while connection.recv(65536):
        pass
    connection.close()


BEHAVIOURS = {
    "first-request-only": first_request_only,
    "new-connection": new_connection,
    "negotiate-without-ticket": negotiate_without_ticket,
    "digest-pause": digest_pause,
    "pipeline": pipeline,
}
BEHAVIOURS[sys.argv[1]](sys.argv[2:])
