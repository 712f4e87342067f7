# The network of the recordings: four namespaces, documentation addresses only (RFC 5737, RFC 3849). Sourced by `record`.
#
#   as-cli  192.0.2.100 ─┐              ┌─ as-srv  192.0.2.5 kdc  .10 intranet  .11 web  .12 node1
#           2001:db8::100├─ as-lan ─────┤          2001:db8::10 six
#                        │  (a bridge)  │
#                        └──────────────┴─ as-dmz  192.0.2.20 app (HAProxy)  .30 proxy (Squid)
#                                          as-dmz  198.51.100.1 ── as-srv  198.51.100.12 node1  .13 node2

NAMESPACES="as-lan as-cli as-dmz as-srv"

hosts_file() {
    cat <<'HOSTS'
127.0.0.1   localhost
192.0.2.5   kdc.corp.example
192.0.2.10  intranet.corp.example
192.0.2.11  web.corp.example
192.0.2.12  node1.corp.example
192.0.2.20  app.corp.example
192.0.2.30  proxy.corp.example
2001:db8::10 six.corp.example
HOSTS
}

# wire NAMESPACE INTERFACE MAC NAMESPACE INTERFACE MAC
# Offloading is switched off: otherwise the capture shows segments larger than the wire carries and checksums not yet filled in.
wire() {
    ip link add "$2" netns "$1" address "$3" type veth peer name "$5" netns "$4" address "$6"
    local end
    for end in "$1 $2" "$4 $5"; do
        set -- $end
        ip netns exec "$1" ethtool -K "$2" tso off gso off gro off tx off rx off >/dev/null 2>&1
        ip -n "$1" link set "$2" up
    done
}

network_up() {
    local ns host
    for ns in $NAMESPACES; do
        ip netns add "$ns"
        ip -n "$ns" link set lo up
        mkdir -p "/etc/netns/$ns"
        hosts_file >"/etc/netns/$ns/hosts"
        echo "nameserver 127.0.0.1" >"/etc/netns/$ns/resolv.conf"
    done
    ip -n as-lan link add br0 type bridge
    ip -n as-lan link set br0 up
    wire as-cli eth0 02:00:00:00:01:00 as-lan cli 02:00:00:00:f0:01
    wire as-dmz eth0 02:00:00:00:02:00 as-lan dmz 02:00:00:00:f0:02
    wire as-srv eth0 02:00:00:00:03:00 as-lan srv 02:00:00:00:f0:03
    wire as-dmz eth1 02:00:00:00:02:01 as-srv eth1 02:00:00:00:03:01
    for host in cli dmz srv; do ip -n as-lan link set "$host" master br0; done
    ip -n as-cli addr add 192.0.2.100/24 dev eth0
    ip -n as-cli addr add 2001:db8::100/64 dev eth0 nodad
    for host in 20 30; do ip -n as-dmz addr add "192.0.2.$host/24" dev eth0; done
    ip -n as-dmz addr add 198.51.100.1/24 dev eth1
    for host in 5 10 11 12; do ip -n as-srv addr add "192.0.2.$host/24" dev eth0; done
    for host in 12 13; do ip -n as-srv addr add "198.51.100.$host/24" dev eth1; done
    ip -n as-srv addr add 2001:db8::10/64 dev eth0 nodad
}

network_down() {
    local ns
    for ns in $NAMESPACES; do
        ip netns del "$ns" 2>/dev/null || true
        rm -rf "/etc/netns/$ns"
    done
    rmdir /etc/netns 2>/dev/null || true
}
