package web

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// The reasons for which a visitor is refused.
const (
	refusedFull     = "full"     // there is no place for a session
	refusedIdle     = "idle"     // the place was given to somebody else
	refusedHost     = "host"     // the request was for another server
	refusedBusy     = "busy"     // the page was drawn without its moves: other pages went first
	refusedDraining = "draining" // the server is about to end
	refusedFlood    = "flood"    // the visitor asks too often
)

// measures are what the server counts for those who watch it. All else is read when they ask.
type measures struct {
	registry  *prometheus.Registry
	commands  *prometheus.HistogramVec
	steps     prometheus.Counter
	searching prometheus.Gauge
	refused   *prometheus.CounterVec
	responses *prometheus.CounterVec
	panics    prometheus.Counter
}

func newMeasures() *measures {
	m := &measures{
		registry: prometheus.NewRegistry(),
		commands: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "lockstep_command_seconds", Help: "Time from a command to its answer, its wait for a turn included: asked by a learner, or due in autoplay and searches.",
			Buckets: []float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.15, 0.3, 1, 3},
		}, []string{"by"}),
		steps:     prometheus.NewCounter(prometheus.CounterOpts{Name: "lockstep_steps_total", Help: "Moves of learners to another step."}),
		searching: prometheus.NewGauge(prometheus.GaugeOpts{Name: "lockstep_searches", Help: "Sessions that search or prove at the moment."}),
		refused:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "lockstep_refused_total", Help: "Refused visitors, by reason."}, []string{"reason"}),
		responses: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "lockstep_responses_total", Help: "Responses to HTTP requests, by status."}, []string{"code"}),
		panics:    prometheus.NewCounter(prometheus.CounterOpts{Name: "lockstep_panics_total", Help: "Bugs that ended a page or a session; the log has more."}),
	}
	m.registry.MustRegister(m.commands, m.steps, m.searching, m.refused, m.responses, m.panics, collectors.NewBuildInfoCollector(), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, reason := range []string{refusedFull, refusedIdle, refusedHost, refusedBusy, refusedDraining, refusedFlood} {
		m.refused.WithLabelValues(reason) // 0, so that the first one is a change
	}
	return m
}

var (
	sessionsNow = prometheus.NewDesc("lockstep_sessions", "Sessions with a place.", nil, nil)
	seatsNow    = prometheus.NewDesc("lockstep_seats", "Places for sessions.", nil, nil)
	readyNow    = prometheus.NewDesc("lockstep_ready", "Whether new learners should come: 0 while draining or full.", nil, nil)
	serverNow   = prometheus.NewDesc("lockstep_real_server_up", "Whether a real server, or the store of classes, is there.", []string{"server"}, nil)
	classesNow  = prometheus.NewDesc("lockstep_classes", "Classes that this server follows.", nil, nil)
	membersNow  = prometheus.NewDesc("lockstep_class_pages", "Open pages of classes, those of teachers among them.", nil, nil)
	sharedNow   = prometheus.NewDesc("lockstep_sessions_shared_bytes", "Memory of sessions beyond the part that each has for itself; estimated.", nil, nil)
)

// Describe implements prometheus.Collector.
func (s *Server) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(s, to) }

// Collect implements prometheus.Collector: what the server knows anyhow.
func (s *Server) Collect(to chan<- prometheus.Metric) {
	gauge := func(of *prometheus.Desc, value int, labels ...string) {
		to <- prometheus.MustNewConstMetric(of, prometheus.GaugeValue, float64(value), labels...)
	}
	now := s.readiness()
	gauge(sessionsNow, now.Sessions)
	gauge(seatsNow, now.Seats)
	gauge(readyNow, oneIf(now.Ready))
	gauge(sharedNow, s.playground.Memory.Used())
	if s.classes != nil {
		classes, pages := s.classes.Followed()
		gauge(classesNow, classes)
		gauge(membersNow, pages)
	}
	for server, there := range now.Servers {
		gauge(serverNow, oneIf(there), server)
	}
}

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// metrics answers those who watch the server.
func (s *Server) metrics() http.HandlerFunc {
	all := promhttp.HandlerFor(s.measures.registry, promhttp.HandlerOpts{})
	return func(w http.ResponseWriter, r *http.Request) {
		if !s.proxies.insider(r) {
			http.Error(w, "The metrics of this server are for its own machine and for trusted addresses: playground serve --trusted-proxy CIDR", http.StatusForbidden)
			return
		}
		all.ServeHTTP(w, r)
	}
}

// insider tells whether a request comes from this machine or a trusted one, and not through a proxy that nobody
// has named: that may bring visitors.
func (p proxies) insider(r *http.Request) bool {
	addr, err := ipOf(r.RemoteAddr)
	return err == nil && (addr.IsLoopback() || p.trust(addr)) && r.Header.Get(forwardedFor) == ""
}
