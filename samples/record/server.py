"""A web server that keeps NTLM with the connection, as IIS does, and has a form login.

usage: server.py ADDRESS...       listens on port 80 of each address

/ntlm/...    NTLM; an accepted handshake authenticates the connection (MS-NTHT)
/form/login  POST user and password; success sets a session cookie and redirects to /form/home
/form/home   200 with the cookie, otherwise a redirect to /form/login
"""
import base64
import re
import secrets
import struct
import sys
import threading
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

from ntlm_acceptor import acceptor

FORM_PASSWORDS = {"alice": "Sample-Pass-1"}
SESSIONS = set()


class Handler(BaseHTTPRequestHandler):
    """One instance serves one connection, so its attributes are the connection's state."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # header and body leave in one segment
    disable_nagle_algorithm = True

    def setup(self):
        super().setup()
        self.context = None
        self.authenticated = False

    def do_GET(self):
        if self.path.startswith("/ntlm/"):
            self.ntlm()
        elif self.path == "/form/home":
            self.form_home()
        elif self.path == "/form/login":
            self.answer(200, "<form method=post><input name=user><input name=password type=password></form>")
        else:
            self.answer(404, "not here")

    def do_POST(self):
        form = parse_qs(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode())
        user, password = form.get("user", [""])[0], form.get("password", [""])[0]
        if self.path != "/form/login" or FORM_PASSWORDS.get(user) != password:
            return self.answer(403, "login failed")
        session = secrets.token_hex(12)
        SESSIONS.add(session)
        self.answer(302, "", {"Location": "/form/home", "Set-Cookie": f"session={session}; Path=/; HttpOnly"})

    def form_home(self):
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get("session")
        if cookie and cookie.value in SESSIONS:
            return self.answer(200, "<h1>home</h1>")
        self.answer(302, "", {"Location": "/form/login"})

    def ntlm(self):
        match = re.fullmatch(r"NTLM ([A-Za-z0-9+/=]+)", self.headers.get("Authorization", ""))
        if not match:
            if self.authenticated:
                return self.answer(200, f"<h1>{self.path}</h1>")
            return self.refuse("sign in")
        token = base64.b64decode(match[1])
        self.authenticated = False
        if struct.unpack_from("<I", token, 8)[0] == 1:
            self.context = acceptor()
            challenge = base64.b64encode(self.context.step(token)).decode()
            return self.answer(401, "", {"WWW-Authenticate": f"NTLM {challenge}"})
        context, self.context = self.context, None
        if context is None:
            return self.refuse("no challenge was given on this connection")
        try:
            context.step(token)
        except Exception:  # pyspnego has one class for each reason; the client learns none of them
            return self.refuse("not accepted")
        self.authenticated = True
        self.answer(200, f"<h1>{self.path}</h1>")

    def refuse(self, text):
        self.answer(401, text, {"WWW-Authenticate": "NTLM"})

    def answer(self, status, text, fields={}):
        body = text.encode()
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


for address in sys.argv[1:]:
    threading.Thread(target=ThreadingHTTPServer((address, 80), Handler).serve_forever).start()
