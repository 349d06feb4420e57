package web

import (
	"fmt"
	"net/http"
)

const healthz = "/healthz"

// isCheck tells whether a request asks how the server is. Checks of proxies have a Host of their own, and the
// answer has nothing that a page of another site could use.
func isCheck(r *http.Request) bool { return r.URL.Path == healthz }

// alive answers as long as the process does.
func alive(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") }
