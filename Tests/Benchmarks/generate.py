#!/usr/bin/env python3
"""Reproducible benchmark captures for an HTTP-authentication scanner.

  generate.py --out big.pcap --mb 1000 --seed 1                 # the mixed profile
  generate.py --out flows.pcap --profile flows --flows 1000000  # memory growth
  generate.py --out x.pcapng --mb 300 --format pcapng

Same arguments => byte-identical file (only `random.Random(seed)`, no clock, no
addresses of the machine).  A JSON line with what was written (ground truth: number of
packets, flows, HTTP messages, and of every kind of credential) goes to OUT.json.

Profile "mixed" (share of bytes, measured): 46 % HTTP/1.1 on 80/8080 (small keep-alive
requests with credentials, some large bodies, some chunked), 54 % noise (34 % TLS on 443,
20 % DNS and QUIC-like UDP).  All addresses are in RFC 5737 / RFC 2544 / 10/8 ranges; all
credentials are made up.  TCP and IP checksums are right, so peers that verify them
(zeek, suricata, tshark -o tcp.check_checksum:TRUE) read the file unchanged.
"""
import argparse, base64, hashlib, json, random, struct, sys

MSS = 1460
ETH = bytes.fromhex("02000000000202000000000108" "00")


def ck(b: bytes) -> int:
    """RFC 1071 sum by the identity 2**16 == 1 (mod 65535)."""
    if len(b) & 1:
        b += b"\0"
    return 0xFFFF - (int.from_bytes(b, "big") % 0xFFFF)


class Net:
    """Builds frames for one 4-tuple; keeps sequence numbers of both ends."""
    __slots__ = ("c", "s", "cp", "sp", "seq", "pc", "ps", "ident")

    def __init__(self, rnd, sport):
        self.c = bytes((10, rnd.randrange(256), rnd.randrange(256), rnd.randrange(1, 255)))
        self.s = bytes((198, 18 + rnd.randrange(2), rnd.randrange(16), rnd.randrange(1, 255)))
        self.cp, self.sp = rnd.randrange(1024, 65536), sport
        self.seq = [rnd.randrange(1 << 32), rnd.randrange(1 << 32)]
        self.pc = self.c + self.s
        self.ps = self.s + self.c
        self.ident = rnd.randrange(65536)

    def ip(self, addrs, proto, l4len):
        self.ident = (self.ident + 1) & 0xFFFF
        h = struct.pack("!BBHHHBBH", 0x45, 0, 20 + l4len, self.ident, 0x4000, 64, proto, 0)
        return h[:10] + struct.pack("!H", ck(h + addrs)) + addrs

    def tcp(self, d, flags, payload=b""):
        """d=0 client->server; advances the sender's sequence number."""
        a = self.ps if d else self.pc
        sp, dp = (self.sp, self.cp) if d else (self.cp, self.sp)
        h = struct.pack("!HHIIBBHHH", sp, dp, self.seq[d], self.seq[1 - d] if flags & 16 else 0,
                        0x50, flags, 64240, 0, 0)
        n = 20 + len(payload)
        c = ck(a + struct.pack("!HH", 6, n) + h + payload)
        self.seq[d] = (self.seq[d] + len(payload) + (1 if flags & 3 else 0)) & 0xFFFFFFFF
        return ETH + self.ip(a, 6, n) + h[:16] + struct.pack("!H", c) + h[18:] + payload

    def udp(self, d, payload):
        a = self.ps if d else self.pc
        sp, dp = (self.sp, self.cp) if d else (self.cp, self.sp)
        n = 8 + len(payload)
        h = struct.pack("!HHH", sp, dp, n)
        c = ck(a + struct.pack("!HH", 17, n) + h + b"\0\0" + payload) or 0xFFFF
        return ETH + self.ip(a, 17, n) + h + struct.pack("!H", c) + payload


class Gen:
    def __init__(self, seed, loss):
        self.r = random.Random(seed)
        self.pool = self.r.randbytes(1 << 22)
        text = " ".join(self.r.choice(("lorem", "ipsum", "dolor", "<div>", "\r\n", "amet", "{\"a\":1}", "Authorization"))
                        for _ in range(200000))
        self.text = text.encode()[: 1 << 20]
        self.loss = loss
        self.stop = False                           # flows end after their current message
        self.truth = dict(http_requests=0, http_responses=0, basic=0, bearer=0, digest=0, ntlm=0,
                          negotiate=0, cookie=0, form=0, flows=0, http_flows=0, retrans=0, reorder=0)

    def rand(self, n):
        if n >= len(self.pool) - 1:
            return (self.pool * (n // len(self.pool) + 1))[:n]
        o = self.r.randrange(len(self.pool) - n)
        return self.pool[o:o + n]

    # ---- segments with loss effects --------------------------------------
    def segs(self, net, d, data, ack_every=2):
        r, out, k = self.r, [], 0
        for o in range(0, len(data), MSS):
            chunk = data[o:o + MSS]
            f = net.tcp(d, 0x18 if o + MSS >= len(data) else 0x10, chunk)
            if self.loss:
                x = r.random()
                if x < 0.003:                       # retransmission, same bytes
                    out.append(f); self.truth["retrans"] += 1
                elif x < 0.006 and out:             # reordering with the one before
                    out.append(out[-1]); out[-2] = f; self.truth["reorder"] += 1
                    f = None
            if f is not None:
                out.append(f)
            k += 1
            if k % ack_every == 0:
                out.append(net.tcp(1 - d, 0x10))
        if k % ack_every:
            out.append(net.tcp(1 - d, 0x10))
        return out

    def opening(self, net):
        return [net.tcp(0, 2), net.tcp(1, 0x12), net.tcp(0, 0x10)]

    def closing(self, net):
        return [net.tcp(0, 0x11), net.tcp(1, 0x11), net.tcp(0, 0x10)]

    # ---- HTTP ------------------------------------------------------------
    def auth(self, path):
        r, t = self.r, self.truth
        k = r.random()
        user = "user%04d" % r.randrange(10000)
        if k < 0.25:
            t["basic"] += 1
            return "Authorization: Basic " + base64.b64encode(
                (user + ":pw-" + self.rand(6).hex()).encode()).decode() + "\r\n"
        if k < 0.50:
            t["bearer"] += 1
            h = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').rstrip(b"=").decode()
            b = base64.urlsafe_b64encode(json.dumps({"sub": user, "iat": 1700000000}).encode()).rstrip(b"=").decode()
            return "authorization: Bearer %s.%s.%s\r\n" % (
                h, b, base64.urlsafe_b64encode(self.rand(32)).rstrip(b"=").decode())
        if k < 0.60:
            t["digest"] += 1
            return ('Authorization: Digest username="%s", realm="bench@example", nonce="%s", uri="%s", '
                    'qop=auth, nc=00000001, cnonce="%s", response="%s", algorithm=MD5\r\n' % (
                        user, self.rand(16).hex(), path, self.rand(8).hex(),
                        hashlib.md5(self.rand(16)).hexdigest()))
        if k < 0.63:
            t["ntlm"] += 1
            return "Authorization: NTLM " + base64.b64encode(
                b"NTLMSSP\0\3\0\0\0" + self.rand(r.randrange(150, 400))).decode() + "\r\n"
        if k < 0.65:
            t["negotiate"] += 1
            return "Authorization: Negotiate " + base64.b64encode(
                b"\x60\x82" + self.rand(r.randrange(900, 2500))).decode() + "\r\n"
        if k < 0.85:
            t["cookie"] += 1
            return "Cookie: theme=dark; session=%s; lang=en\r\n" % self.rand(24).hex()
        return ""

    def request(self, host):
        r, t = self.r, self.truth
        t["http_requests"] += 1
        path = "/api/v1/%s/%d?q=%d" % (r.choice(("items", "users", "orders", "img")), r.randrange(100000), r.randrange(999))
        common = ("Host: %s\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) Bench/1.0\r\n"
                  "Accept: text/html,application/json;q=0.9,*/*;q=0.8\r\nAccept-Encoding: gzip, deflate\r\n"
                  "Accept-Language: en-US,en;q=0.5\r\n" % host)
        if r.random() < 0.08:
            t["form"] += 1
            body = "username=user%04d&password=pw%s&csrf=%s" % (r.randrange(10000), self.rand(6).hex(), self.rand(16).hex())
            return ("POST /login HTTP/1.1\r\n" + common + "Content-Type: application/x-www-form-urlencoded\r\n"
                    "Content-Length: %d\r\n\r\n%s" % (len(body), body)).encode()
        return ("GET %s HTTP/1.1\r\n%s%sConnection: keep-alive\r\n\r\n" % (path, common, self.auth(path))).encode()

    def response(self, size, chunked):
        r = self.r
        self.truth["http_responses"] += 1
        body = self.text[:size] if size <= 20000 and r.random() < .5 else self.rand(size)
        st = r.choice(("200 OK",) * 17 + ("304 Not Modified", "404 Not Found", "401 Unauthorized"))
        h = "HTTP/1.1 %s\r\nServer: nginx/1.22.1\r\nDate: Mon, 01 Jan 2024 00:00:00 GMT\r\nContent-Type: text/html\r\n" % st
        if st[:3] == "401":
            h += 'WWW-Authenticate: Digest realm="bench@example", nonce="%s", qop="auth"\r\n' % self.rand(16).hex()
        if r.random() < 0.1:
            h += "Set-Cookie: session=%s; HttpOnly\r\n" % self.rand(24).hex()
        if st[:3] == "304":
            return (h + "\r\n").encode()
        if chunked:
            out = [(h + "Transfer-Encoding: chunked\r\n\r\n").encode()]
            for o in range(0, len(body), 8192):
                c = body[o:o + 8192]
                out.append(b"%x\r\n" % len(c) + c + b"\r\n")
            return b"".join(out) + b"0\r\n\r\n"
        return (h + "Content-Length: %d\r\n\r\n" % len(body)).encode() + body

    def http_small(self):
        r = self.r
        net = Net(r, r.choice((80, 80, 80, 8080)))
        self.truth["http_flows"] += 1
        host = "h%d.bench.example" % r.randrange(500)
        yield from self.opening(net)
        for _ in range(min(200, 1 + int(r.expovariate(1 / 12)))):
            yield from self.segs(net, 0, self.request(host))
            yield from self.segs(net, 1, self.response(min(30000, int(r.lognormvariate(6.6, 1.1))), r.random() < .25))
            if self.stop:
                break
        if r.random() < .9:
            yield from self.closing(net)

    def http_large(self):
        r = self.r
        net = Net(r, 80)
        self.truth["http_flows"] += 1
        yield from self.opening(net)
        for _ in range(r.randrange(1, 4)):
            yield from self.segs(net, 0, self.request("dl.bench.example"))
            yield from self.segs(net, 1, self.response(r.randrange(50000, 1500000), r.random() < .2))
            if self.stop:
                break
        yield from self.closing(net)

    def tls(self):
        r = self.r
        net = Net(r, 443)
        yield from self.opening(net)
        yield from self.segs(net, 0, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + self.rand(506))
        yield from self.segs(net, 1, b"\x16\x03\x03\x0b\xb8" + self.rand(3000))
        for _ in range(1 + int(r.expovariate(1 / 8))):
            n = r.randrange(60, 700)
            yield from self.segs(net, 0, b"\x17\x03\x03" + struct.pack("!H", n) + self.rand(n))
            n = min(400000, int(r.lognormvariate(8.5, 1.5)))
            rec = []
            while n > 0:
                m = min(n, 16000)
                rec.append(b"\x17\x03\x03" + struct.pack("!H", m) + self.rand(m))
                n -= m
            yield from self.segs(net, 1, b"".join(rec))
            if self.stop:
                break
        yield from self.closing(net)

    def dns(self):
        net = Net(self.r, 53)
        q = self.rand(2) + b"\1\0\0\1\0\0\0\0\0\0\5bench\7example\0\0\1\0\1"
        yield net.udp(0, q)
        yield net.udp(1, q[:2] + b"\x81\x80\0\1\0\1\0\0\0\0" + q[12:] + b"\xc0\x0c\0\1\0\1\0\0\0<\0\4" + self.rand(4))

    def quic(self):
        net = Net(self.r, 443)
        for _ in range(self.r.randrange(5, 120)):
            if self.stop:
                return
            yield net.udp(self.r.random() < .85, b"\x40" + self.rand(self.r.randrange(30, 1350)))


class Writer:
    def __init__(self, path, fmt):
        self.f = open(path, "wb", buffering=1 << 20)
        self.ng = fmt == "pcapng"
        self.bytes = self.n = 0
        if self.ng:
            h = struct.pack("<IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28) + \
                struct.pack("<IIHHII", 1, 20, 1, 0, 262144, 20)
        else:
            h = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 1)
        self.f.write(h); self.bytes += len(h)

    def put(self, us, frame):
        n = len(frame)
        if self.ng:
            p = -n & 3
            t = 32 + n + p
            b = struct.pack("<IIIIIII", 6, t, 0, us >> 32, us & 0xFFFFFFFF, n, n) + frame + b"\0" * p + struct.pack("<I", t)
        else:
            b = struct.pack("<IIII", us // 1000000, us % 1000000, n, n) + frame
        self.f.write(b); self.bytes += len(b); self.n += 1


def mixed(g, w, limit, concurrent):
    # (make a flow, share of bytes, average bytes of such a flow as measured): spawn rate = share/average
    kinds = [(g.http_small, .24, 21000), (g.http_large, .16, 1400000), (g.tls, .42, 170000),
             (g.dns, .02, 210), (g.quic, .16, 49000)]
    weights = [s / a for _, s, a in kinds]
    r, live, us = g.r, [], 1700000000 * 1000000
    def spawn():
        g.truth["flows"] += 1
        return r.choices(kinds, weights)[0][0]()
    # weights concentrate on short flows, so at any time the live set is rebalanced by bytes
    while live or not g.stop:
        g.stop = w.bytes >= limit                   # then drain, so that the ground truth is exact
        while len(live) < concurrent and not g.stop:
            live.append(spawn())
        if not live:
            break
        i = r.randrange(len(live))
        for _ in range(r.randrange(1, 6)):          # short bursts of one flow
            f = next(live[i], None)
            if f is None:
                live[i] = live[-1]; live.pop(); break
            us += r.randrange(1, 40)
            w.put(us, f)


def flows(g, w, n):
    """n HTTP connections, all left open: SYN, request with Basic (no reply)."""
    us = 1700000000 * 1000000
    for k in range(n):
        net = Net(g.r, 80)
        net.c = bytes((10, k >> 16 & 255, k >> 8 & 255, k & 255)); net.pc = net.c + net.s; net.ps = net.s + net.c
        g.truth["flows"] += 1; g.truth["http_flows"] += 1; g.truth["http_requests"] += 1; g.truth["basic"] += 1
        us += 3; w.put(us, net.tcp(0, 2))
        us += 3; w.put(us, net.tcp(0, 0x18, b"GET /%d HTTP/1.1\r\nHost: a.example\r\nAuthorization: Basic dTpw\r\n\r\n" % k))


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--out", required=True)
    a.add_argument("--mb", type=int, default=300)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--format", choices=("pcap", "pcapng"), default="pcap")
    a.add_argument("--profile", choices=("mixed", "flows"), default="mixed")
    a.add_argument("--flows", type=int, default=1000000)
    a.add_argument("--concurrent", type=int, default=2000)
    a.add_argument("--no-loss", action="store_true", help="no retransmission and no reordering")
    o = a.parse_args()
    g = Gen(o.seed, not o.no_loss)
    w = Writer(o.out, o.format)
    mixed(g, w, o.mb * 1000000, o.concurrent) if o.profile == "mixed" else flows(g, w, o.flows)
    w.f.close()
    g.truth.update(packets=w.n, bytes=w.bytes, seed=o.seed)
    with open(o.out + ".json", "w") as f:
        json.dump(g.truth, f)
    print(json.dumps(g.truth))


if __name__ == "__main__":
    main()
