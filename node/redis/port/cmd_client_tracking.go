package port

import (
	"fmt"
	"slices"
	"strings"

	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

func clientTracking(s *Server, c *conn, args []string) {
	how := &trackingOptions{}
	flags := map[string]*bool{"bcast": &how.bcast, "optin": &how.optIn, "optout": &how.optOut, "noloop": &how.noLoop}
	for i := 3; i < len(args); i++ {
		more := i+1 < len(args)
		switch option := strings.ToLower(args[i]); {
		case option == "redirect" && more:
			i++
			if failed := how.setRedirect(s, args[i]); failed != "" {
				c.error(failed)
				return
			}
		case option == "prefix" && more:
			i++
			how.prefixes = append(how.prefixes, args[i])
		case flags[option] != nil:
			*flags[option] = true
		default:
			c.error(syntaxError)
			return
		}
	}
	switch strings.ToLower(args[2]) {
	case "on":
		if failed := how.merge(c.tracking); failed != "" {
			c.error(failed)
			return
		}
		s.track(c, how)
	case "off":
		s.track(c, nil)
	default:
		c.error(syntaxError)
		return
	}
	c.reply(reply.OK)
}

func (how *trackingOptions) setRedirect(s *Server, text string) (failed string) {
	id, ok := keyspace.ParseInt(text)
	switch {
	case how.redirect != 0:
		return "ERR A client can only redirect to a single other client"
	case !ok:
		return "ERR value is not an integer or out of range"
	case s.conns[id] == nil:
		return "ERR The client ID you want redirect to does not exist"
	}
	how.redirect = id
	return ""
}

// merge adds the options of an earlier CLIENT TRACKING ON; old is nil if there was none.
func (how *trackingOptions) merge(old *trackingOptions) (failed string) {
	const again = " before disabling tracking for this client, and then re-enabling it with a different mode."
	switch {
	case !how.bcast && len(how.prefixes) > 0:
		return "ERR PREFIX option requires BCAST mode to be enabled"
	case old != nil && old.bcast != how.bcast:
		return "ERR You can't switch BCAST mode on/off" + again
	case how.bcast && (how.optIn || how.optOut):
		return "ERR OPTIN and OPTOUT are not compatible with BCAST"
	case how.optIn && how.optOut:
		return "ERR You can't specify both OPTIN mode and OPTOUT mode"
	case old != nil && (how.optIn && old.optOut || how.optOut && old.optIn):
		return "ERR You can't switch OPTIN/OPTOUT mode" + again
	case !how.bcast:
		return ""
	}
	var before []string
	if old != nil {
		before = old.prefixes
	}
	for i, p := range how.prefixes {
		if q, ok := overlapping(p, before); ok {
			return fmt.Sprintf("ERR Prefix '%s' overlaps with an existing prefix '%s'. Prefixes for a single client must not overlap.", p, q)
		}
		if q, ok := overlapping(p, how.prefixes[i+1:]); ok {
			return fmt.Sprintf("ERR Prefix '%s' overlaps with another provided prefix '%s'. Prefixes for a single client must not overlap.", p, q)
		}
	}
	if how.prefixes = append(how.prefixes, before...); len(how.prefixes) == 0 {
		how.prefixes = []string{""}
	}
	slices.Sort(how.prefixes)
	return ""
}

func overlapping(p string, others []string) (other string, ok bool) {
	for _, q := range others {
		if strings.HasPrefix(p, q) || strings.HasPrefix(q, p) {
			return q, true
		}
	}
	return "", false
}

func clientTrackingInfo(_ *Server, c *conn, _ []string) {
	how, state := c.tracking, "on"
	if how == nil {
		how, state = &trackingOptions{redirect: -1}, "off"
	}
	flags := namesOf(
		flagged{true, state}, flagged{how.bcast, "bcast"},
		flagged{how.optIn, "optin"}, flagged{how.optIn && how.given, "caching-yes"},
		flagged{how.optOut, "optout"}, flagged{how.optOut && how.given, "caching-no"},
		flagged{how.noLoop, "noloop"}, flagged{how.broken, "broken_redirect"},
	)
	c.reply(reply.OfMap(
		reply.OfBulk("flags"), reply.OfSet(reply.OfBulks(flags).Elems...),
		reply.OfBulk("redirect"), reply.OfInt(how.redirect),
		reply.OfBulk("prefixes"), reply.OfBulks(how.prefixes),
	))
}

func (c *conn) redirection() int64 {
	if c.tracking == nil {
		return -1
	}
	return c.tracking.redirect
}

func clientCaching(_ *Server, c *conn, args []string) {
	how, answer := c.tracking, strings.ToLower(args[2])
	switch {
	case how == nil:
		c.error("ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or OPTOUT mode enabled")
	case answer == "yes" && !how.optIn:
		c.error("ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.")
	case answer == "no" && !how.optOut:
		c.error("ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.")
	case answer == "yes", answer == "no":
		how.given = true
		c.reply(reply.OK)
	default:
		c.error(syntaxError)
	}
}

// forgetCaching ends what CLIENT CACHING said, which is for one command or transaction.
func (c *conn) forgetCaching(last call) {
	isClient := last.data != nil && last.data.Name() == "client"
	if c.tracking != nil && c.multi == nil && !isClient {
		c.tracking.given = false
	}
}
