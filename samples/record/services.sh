# The servers of the recordings. Everything they write lies under $RUN. Sourced by `record`.

PASSWORD=Sample-Pass-1
SERVICE_PIDS=""

# configure NAME: etc/NAME with @RUN@, @RECORD@ and @PYTHON@ filled in, as $RUN/NAME
configure() { sed "s#@RUN@#$RUN#g; s#@RECORD@#$RECORD#g; s#@PYTHON@#$PYTHON#g" "$RECORD/etc/$1" >"$RUN/$1"; }

# serve NAMESPACE HOSTNAME COMMAND...: runs a server there, under its own host name (NTLM messages carry that name)
serve() {
    local ns=$1 name=$2
    shift 2
    ip netns exec "$ns" unshare --uts sh -c 'hostname "$0"; exec "$@"' "$name" "$@" >>"$RUN/log/services" 2>&1 &
    SERVICE_PIDS="$SERVICE_PIDS $!"
}

make_accounts() {
    htpasswd -bc "$RUN/htpasswd" alice "$PASSWORD" 2>/dev/null
    printf 'alice:lab:%s\n' "$(printf 'alice:lab:%s' "$PASSWORD" | md5sum | cut -d' ' -f1)" >"$RUN/htdigest"
    printf 'CORP:alice:%s\n' "$PASSWORD" >"$RUN/ntlm-users"
    kdb5_util create -s -r CORP.EXAMPLE -P master-of-samples
    kadmin.local -q "addprinc -pw $PASSWORD +requires_preauth alice"
    kadmin.local -q "addprinc -randkey HTTP/intranet.corp.example"
    kadmin.local -q "ktadd -k $RUN/http.keytab HTTP/intranet.corp.example"
}

make_pages() {
    local folder page
    for folder in basic digest kerberos open upload; do
        mkdir -p "$RUN/www/$folder"
        for page in 1 2 3 4; do echo "<h1>$folder page $page</h1>" >"$RUN/www/$folder/p$page.html"; done
    done
    seq 1 3000 >"$RUN/www/basic/numbers.html"
    seq 1 800 >"$RUN/upload.txt"
    mkdir -p "$RUN/dav-locks"
    chown www-data "$RUN/www/upload" "$RUN/dav-locks"
}

services_up() {
    mkdir -p "$RUN/log" "$RUN/www"
    chmod 777 "$RUN/log"
    local file
    for file in "$RECORD"/etc/*; do configure "$(basename "$file")"; done
    export KRB5_CONFIG=$RUN/krb5.conf KRB5_KDC_PROFILE=$RUN/kdc.conf KRB5_KTNAME=$RUN/http.keytab NTLM_USER_FILE=$RUN/ntlm-users
    make_accounts >>"$RUN/log/setup" 2>&1
    make_pages
    chmod a+r "$RUN"/http.keytab "$RUN"/ntlm-users "$RUN"/htpasswd "$RUN"/htdigest
    serve as-srv kdc krb5kdc -n -r CORP.EXAMPLE
    serve as-srv intranet apache2 -f "$RUN/apache.conf" -DFOREGROUND
    serve as-srv web nginx -c "$RUN/nginx.conf"
    serve as-srv node1 "$PYTHON" "$RECORD/server.py" 192.0.2.12 198.51.100.12
    serve as-srv node2 "$PYTHON" "$RECORD/server.py" 198.51.100.13
    serve as-dmz app haproxy -db -f "$RUN/haproxy.cfg"
    serve as-dmz proxy squid -N -n samplebasic -f "$RUN/squid-basic.conf"
    serve as-dmz proxy squid -N -n samplentlm -f "$RUN/squid-ntlm.conf"
    local address
    for address in 192.0.2.10:80 192.0.2.11:80 192.0.2.12:80 192.0.2.20:80 192.0.2.30:3128 192.0.2.30:3129; do await "$address"; done
}

# await ADDRESS:PORT: waits up to ten seconds until something listens there
await() {
    local try
    for try in $(seq 50); do
        if ip netns exec as-cli bash -c "exec 3<>/dev/tcp/${1/:/\/}" 2>/dev/null; then return; fi
        sleep 0.2
    done
    echo "nothing listens on $1; see $RUN/log" >&2
    return 1
}

services_down() {
    local pid
    for pid in $SERVICE_PIDS; do kill "$pid" 2>/dev/null || true; done
    for pid in $SERVICE_PIDS; do wait "$pid" 2>/dev/null || true; done
    SERVICE_PIDS=""
    rm -f /dev/shm/samplebasic-* /dev/shm/samplentlm-* # what Squid leaves behind when it ends badly
}
