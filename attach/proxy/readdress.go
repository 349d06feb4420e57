package proxy

import (
	"bytes"
	"net"
	"slices"
	"strconv"
	"strings"
)

// readdressing replaces the addresses of nodes by the proxy's in what a node of a cluster says: in MOVED and ASK, and in
// replies to CLUSTER SLOTS, SHARDS, NODES and REPLICAS. Such a reply is held until it is whole; others pass as they come.
type readdressing struct {
	tap    *tap
	in     replies
	held   []byte // of a reply whose end has not come
	passes bool   // its beginning has been sent on
}

// next is what the client is sent after some more bytes have come.
func (r *readdressing) next(b []byte) (out []byte) {
	for len(b) > 0 && !r.tap.isBlind() {
		n, a, whole, err := r.in.next(b)
		r.held = append(r.held, b[:n]...)
		b = b[n:]
		switch {
		case err != nil:
			r.tap.giveUp()
		case whole:
			if !r.passes && !a.push {
				r.held = r.tap.readdressed(r.held)
			}
			out = append(out, r.held...)
			r.held, r.passes = r.held[:0], false
			r.tap.received(a)
		}
	}
	if r.tap.isBlind() || len(r.held) > 0 && r.held[0] != '-' && r.tap.asksNodes() == "" {
		out = append(out, r.held...)
		r.held, r.passes = r.held[:0], true
	}
	return append(out, b...)
}

// asksNodes is the subcommand of CLUSTER whose reply comes next, in lower case; empty: another reply does.
func (t *tap) asksNodes() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.next()
	if e == nil || len(e.args) < 2 || !strings.EqualFold(e.args[0], "cluster") {
		return ""
	}
	return strings.ToLower(e.args[1])
}

// readdressed is a reply with the proxy's addresses.
func (t *tap) readdressed(text []byte) []byte {
	if text[0] == '-' {
		words := strings.Fields(string(text[1:]))
		if len(words) == 3 && (words[0] == "MOVED" || words[0] == "ASK") {
			return []byte("-" + words[0] + " " + words[1] + " " + t.instead(words[2]) + "\r\n")
		}
		return text
	}
	var change func([]token)
	switch t.asksNodes() {
	case "slots":
		change = t.inSlots
	case "shards":
		change = t.inShards
	case "nodes", "replicas", "slaves":
		change = t.inLines
	default:
		return text
	}
	all := tokensOf(text)
	change(all)
	return encoded(all)
}

// instead is the proxy's address for a node's. One without a host is at the host of whoever tells of it.
func (t *tap) instead(node string) string {
	at := strings.LastIndex(node, ":")
	host, port := strings.Trim(node[:max(at, 0)], "[]"), node[at+1:]
	if host == "" || host == "?" {
		host, _, _ = net.SplitHostPort(t.to.Addr)
	}
	return t.proxy.addressOf(net.JoinHostPort(host, port))
}

// token is a line of the protocol, or a text.
type token struct {
	kind byte
	text string
	body bool // it has its length before it
}

// tokensOf are those of a whole reply.
func tokensOf(reply []byte) (all []token) {
	for len(reply) > 0 {
		line, rest, _ := bytes.Cut(reply, []byte("\r\n"))
		t := token{kind: line[0], text: string(line[1:])}
		if n, err := strconv.Atoi(t.text); strings.IndexByte("$=!", t.kind) >= 0 && err == nil && n >= 0 {
			t.text, t.body = string(rest[:n]), true
			rest = rest[n+2:]
		}
		all, reply = append(all, t), rest
	}
	return all
}

func encoded(all []token) (b []byte) {
	for _, t := range all {
		b = append(b, t.kind)
		if t.body {
			b = append(strconv.AppendInt(b, int64(len(t.text)), 10), "\r\n"...)
		}
		b = append(append(b, t.text...), "\r\n"...)
	}
	return b
}

// inSlots changes the nodes of CLUSTER SLOTS: arrays that begin with a host and a port.
func (t *tap) inSlots(all []token) {
	for i := 0; i+2 < len(all); i++ {
		host, port := &all[i+1], &all[i+2]
		if all[i].kind != '*' || port.kind != ':' || host.kind != '$' && host.kind != '_' {
			continue
		}
		if !host.body {
			*host = token{kind: '$', body: true}
		}
		host.text, port.text, _ = net.SplitHostPort(t.instead(host.text + ":" + port.text))
	}
}

// inShards changes the nodes of CLUSTER SHARDS: their ports come first, then ip and endpoint.
func (t *tap) inShards(all []token) {
	var ports, hosts []*token
	for i := 0; i+1 < len(all); i++ {
		value := &all[i+1]
		switch all[i].text {
		case "id":
			ports, hosts = nil, nil
		case "port", "tls-port":
			ports = append(ports, value)
		case "ip":
			hosts = append(hosts, value)
		case "endpoint":
			if len(ports) == 0 {
				continue
			}
			host := value.text
			if !value.body {
				host = ""
				*value = token{kind: '$', body: true}
			}
			host, port, _ := net.SplitHostPort(t.instead(host + ":" + ports[len(ports)-1].text))
			for _, p := range ports {
				p.text = port
			}
			for _, h := range append(hosts, value) {
				h.text = host
			}
		}
	}
}

// inLines changes the nodes of CLUSTER NODES: ID HOST:PORT@BUS,HOSTNAME FLAGS, each on a line.
func (t *tap) inLines(all []token) {
	for i := range all {
		if !all[i].body {
			continue
		}
		lines := strings.SplitAfter(all[i].text, "\n")
		for n, line := range lines {
			words := strings.Split(line, " ")
			if len(words) < 3 {
				continue
			}
			addr, more, _ := strings.Cut(words[1], "@")
			bus, _, _ := strings.Cut(more, ",")
			if strings.HasPrefix(addr, ":") && slices.Contains(strings.Split(words[2], ","), "noaddr") {
				continue
			}
			words[1] = t.instead(addr) + "@" + bus
			lines[n] = strings.Join(words, " ")
		}
		all[i].text = strings.Join(lines, "")
	}
}
