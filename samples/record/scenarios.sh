# One function for each sample: `sample_` and its name with _ for -. Sourced by `record`, which captures while the function runs.
# In `captures` stands where and how; the default is one plain pcap of the client's interface.

INTRANET=http://intranet.corp.example
WEB=http://web.corp.example
NODE=http://node1.corp.example
APP=http://app.corp.example
BROWSER="Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"

# captures NAME: prints "namespace suffix recorder options" where they are not the usual ones
captures() {
    case $1 in
    digest-nonce-renewed) echo "as-cli pcap tcpdump -i eth0 --time-stamp-precision=nano" ;;
    http-framing-mix) echo "as-cli pcap.gz tcpdump -i eth0" ;;
    ntlm-load-balancer-both-sides) echo "as-dmz pcapng dumpcap -i eth0 -i eth1" ;;
    *) echo "as-cli pcap tcpdump -i eth0" ;;
    esac
}

# at_client COMMAND...: runs it on alice's computer
at_client() { ip netns exec as-cli unshare --uts sh -c 'hostname PC-ALICE; exec "$@"' sh "$@"; }
curl_() { at_client curl -sS -m 20 -w '%{stderr}%{http_code} %{url_effective}\n' "$@" >/dev/null; }
client() { at_client "$PYTHON" "$RECORD/client.py" "$@"; }

sample_basic_challenge_accepted() {
    curl_ --anyauth -u "alice:$PASSWORD" $INTRANET/basic/p1.html $INTRANET/basic/p2.html
}
sample_basic_wrong_password_repeated() {
    curl_ -u alice:wrong-pass $INTRANET/basic/p1.html $INTRANET/basic/p1.html $INTRANET/basic/p1.html $INTRANET/basic/p1.html
}
sample_digest_nonce_renewed() {
    client digest-pause $INTRANET/digest/p1.html $INTRANET/digest/p2.html $INTRANET/digest/p3.html $INTRANET/digest/p4.html
}
sample_ntlm_handshake_accepted() {
    curl_ --anyauth -u "CORP\\alice:$PASSWORD" $NODE/ntlm/a $NODE/ntlm/b $NODE/ntlm/c
}
sample_ntlm_wrong_password() {
    curl_ --ntlm -u 'CORP\alice:wrong-pass' $NODE/ntlm/a
}
sample_ntlm_load_balancer_client_side() {
    curl_ --anyauth -u "CORP\\alice:$PASSWORD" $APP/ntlm/a
    curl_ --anyauth -u "CORP\\alice:$PASSWORD" $APP/ntlm/a
}
sample_ntlm_load_balancer_both_sides() { sample_ntlm_load_balancer_client_side; }
sample_ntlm_answer_on_new_connection() {
    client new-connection $NODE/ntlm/a $NODE/ntlm/b
}
sample_ntlm_closed_after_challenge() {
    curl_ --ntlm -u "CORP\\alice:$PASSWORD" $APP:8080/ntlm/a
}
sample_ntlm_not_offered() {
    curl_ --ntlm -u "CORP\\alice:$PASSWORD" $INTRANET/kerberos/p1.html
}
sample_negotiate_kerberos_accepted() {
    export KRB5CCNAME=FILE:$RUN/tickets
    echo "$PASSWORD" | at_client kinit alice >/dev/null
    curl_ --negotiate -u : $INTRANET/kerberos/p1.html $INTRANET/kerberos/p2.html
}
sample_negotiate_ntlm_fallback() {
    client negotiate-without-ticket $INTRANET/kerberos/p1.html
}
sample_401_without_challenge() {
    curl_ --anyauth -u "alice:$PASSWORD" $WEB/no-challenge
}
sample_challenge_never_answered() {
    curl_ http://six.corp.example/basic/p1.html
}
sample_authorization_first_request_only() {
    client first-request-only $INTRANET/basic/p1.html $INTRANET/basic/p2.html $INTRANET/basic/p3.html
}
sample_user_agent_forbidden() {
    curl_ -u "alice:$PASSWORD" -A "$BROWSER" $WEB/browsers-only --next \
        -sS -w '%{stderr}%{http_code} without User-Agent\n' -u "alice:$PASSWORD" -A "" $WEB/browsers-only
}
sample_redirect_drops_authorization() {
    curl_ -L -u "alice:$PASSWORD" $WEB/moved
}
sample_session_cookie_not_returned() {
    curl_ -L -d "user=alice&password=$PASSWORD" $NODE/form/login
}
sample_proxy_basic_accepted() {
    curl_ -x http://proxy.corp.example:3128 --proxy-anyauth --proxy-user "alice:$PASSWORD" $WEB/open/p1.html $WEB/open/p2.html
}
sample_proxy_ntlm_accepted() {
    curl_ -x http://proxy.corp.example:3129 --proxy-ntlm --proxy-user "CORP\\alice:$PASSWORD" $WEB/open/p1.html $WEB/open/p2.html
}
sample_http_framing_mix() {
    curl_ -u "alice:$PASSWORD" -I $INTRANET/basic/p1.html --next \
        -sS -w '%{stderr}%{http_code} compressed, chunked\n' -u "alice:$PASSWORD" --compressed $WEB/basic/numbers.html --next \
        -sS -w '%{stderr}%{http_code} not modified\n' -u "alice:$PASSWORD" -z "$RUN/www/basic/p1.html" $INTRANET/basic/p1.html --next \
        -sS -w '%{stderr}%{http_code} uploaded\n' -u "alice:$PASSWORD" -H 'Expect: 100-continue' -T - $INTRANET/upload/new.txt <"$RUN/upload.txt"
    client pipeline $INTRANET/basic/p1.html $INTRANET/basic/p2.html $INTRANET/basic/p3.html $INTRANET/basic/p4.html
}
