package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"lockstep/node/sample"
)

// toClients shows the code of the clients.
func (b *tab) toClients(phone bool) {
	b.t.Helper()
	if phone {
		b.do(press(`.tabs [data-tab="script"]`))
	}
	b.do(press(`.sides [data-code="client"]`))
}

// code is what the page says of the thread whose code it shows.
func (b *tab) code() string {
	b.t.Helper()
	at := "nowhere"
	if b.exists("#f-program .at") {
		at = eval[string](b, `document.querySelector('#f-program .at').dataset.n`) + " " + b.text("#f-program .at")
	}
	return strings.Join([]string{
		b.text(`#f-threads [aria-pressed="true"]`), at,
		b.texts(`#f-values tr[class] :is(th, .old, .value)`), b.texts("#f-client .waits p"),
	}, " | ")
}

func TestTheCodeOfBothClientsIsFollowedOnBothEngines(t *testing.T) {
	t.Parallel()
	a := serve(t)
	for _, engine := range []string{"embedded", "redis"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.visit(a.url + "/en/lessons/redisson-lock/?e=" + engine)
			b.toClients(false)
			const channel = "redisson_lock__channel:{anyLock}"
			for _, tt := range []struct{ step, pick, want, fault string }{
				{"", "", `A | 26 local ttl = redis.eval("lock", { name }, { lease or WATCHDOG, owner }) |  | ready A:1 → redisson.lua:41 → redisson.lua:26, next: asks redis to run the script lock(anyLock; 30000, jvm-1:A)`, ""},
				{forward, "", `A | 2 work("15s") |  | works until t = 15 s A:2, work for 15 s`, ""},
				{forward, "", `B | 46 subscribe(channel(name)) | ttl, 30000 | ready B:1 → redisson.lua:46, next: sends to redis SUBSCRIBE ` + channel, ""},
				{"", "A", `A | 2 work("15s") |  | works until t = 15 s A:2, work for 15 s`, ""},
				{"", "A:watchdog", `A ↳ watchdog | 16 sleep(WATCHDOG / 3) |  | sleeps until t = 10 s redisson.lua:35 → redisson.lua:16, sleep 10 s`, ""},
				{forward, "", `B | 26 local ttl = redis.eval("lock", { name }, { lease or WATCHDOG, owner }) |  | ready B:1 → redisson.lua:47 → redisson.lua:26, next: asks redis to run the script lock(anyLock; 30000, jvm-2:B)`, ""},
				{forward, "", `B | 50 receive(channel(name), ttl) |  | waits until t = 30 s B:1 → redisson.lua:50, wait for a message on ` + channel + `, at most 30 s`, ""},
				{back, "B", `B | 26 local ttl = redis.eval("lock", { name }, { lease or WATCHDOG, owner }) |  | ready B:1 → redisson.lua:47 → redisson.lua:26, next: asks redis to run the script lock(anyLock; 30000, jvm-2:B)`, ""},
				{"", "", `B | 26 local ttl = redis.eval("lock", { name }, { lease or WATCHDOG, owner }) |  | the process jvm-2 has crashed B:1 → redisson.lua:47 → redisson.lua:26, It stopped here and will never get past lock(anyLock; 30000, jvm-2:B)`, "crash jvm-2"},
			} {
				if tt.fault != "" {
					b.fault(tt.fault)
				}
				if tt.step != "" {
					b.click(tt.step)
				}
				if tt.pick != "" {
					b.click(fmt.Sprintf(`#f-threads [data-arg*='"%s"']`, tt.pick))
				}
				if got := b.code(); got != tt.want {
					t.Errorf("after %s, %s:\ngot  %s\nwant %s", tt.step, tt.pick, got, tt.want)
				}
			}
		})
	}
}

// A step's lines lead from Redis back into the client, and the page follows.
func TestTheLinesOfAStepLeadFromRedisIntoTheClient(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	b.visit(a.url + "/en/lessons/redisson-lock/")
	if b.exists("#line-toggle") {
		t.Error("there are lines to walk before anything ran")
	}
	b.click(forward)
	b.click(forward) // B is refused
	side := func() string { return eval[string](b, "document.body.dataset.code") }
	b.lineKey(kb.ArrowRight)
	for n := 0; side() == "server" && n < 50; n++ {
		if !b.exists("#why-stilled") {
			t.Fatal("others may act while the script runs")
		}
		b.lineKey(kb.ArrowRight)
	}
	var lines []string
	for b.exists("#line-scrub") {
		if b.exists("#why-stilled") {
			t.Error("nobody may act while a client runs on its own")
		}
		lines = append(lines, eval[string](b, `document.querySelector('#f-program .at').dataset.n`)+" "+b.texts(`#f-values tr[class] :is(th, .value)`))
		b.lineKey(kb.ArrowRight)
	}
	if got, want := strings.Join(lines, "; "), "27 ttl, 30000; 28 ; 29 ; 42 ttl, 30000; 45 ; 46 ; 10 "; got != want {
		t.Errorf("the lines are %q, want %q", got, want)
	}
	if side() != "client" {
		t.Error("the page does not stay with the client")
	}
	b.lineKey(kb.ArrowLeft) // the last one
	b.lineKey(kb.ArrowLeft)
	if got := eval[string](b, `document.querySelector('#f-program .at').dataset.n`); got != "46" {
		t.Errorf("two lines back is %s", got)
	}
}

// Wherever the learner steps, the transport stays where it is and so does the page,
// while the sources scroll to their lines.
func TestCodeScrollsWithoutMovingThePage(t *testing.T) {
	t.Parallel()
	a := serve(t)
	for _, l := range []look{{name: "desktop", width: 1280, height: 800}, {name: "phone", width: 390, height: 844}} {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.emulate(l)
			b.visit(a.url + lesson)
			b.toClients(l.width < 700)
			transport := eval[string](b, `JSON.stringify(document.querySelector('.transport').getBoundingClientRect())`)
			scrolled := eval[int](b, "scrollY")
			for range 12 {
				b.click(forward)
				if got := eval[string](b, `JSON.stringify(document.querySelector('.transport').getBoundingClientRect())`); got != transport {
					t.Errorf("at %s the transport is at %s, was at %s", b.place(), got, transport)
				}
				if got := eval[int](b, "scrollY"); got != scrolled {
					t.Errorf("at %s the page is scrolled by %d, was by %d", b.place(), got, scrolled)
				}
				if !eval[bool](b, `(() => { const l = document.querySelector('#f-program .at')?.getBoundingClientRect(), a = document.querySelector('#f-program').getBoundingClientRect();
					return !l || l.top >= a.top && l.bottom <= a.bottom + 1 })()`) {
					t.Errorf("at %s the line is out of sight", b.place())
				}
			}
		})
	}
}

func TestACardLeadsToItsCode(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	b.emulate(look{width: 390, height: 844})
	b.play(a.url+lesson, 2)
	b.click(`#f-actors [data-op="thread"][data-arg*='"A"']`)
	if code := b.code(); !strings.HasPrefix(code, "A | 2 ") {
		t.Errorf("the card of A leads to %s", code)
	}
	if !eval[bool](b, `document.querySelector('#f-program').getClientRects().length > 0`) {
		t.Error("the code is not shown")
	}
	b.do(press(`.sides [data-code="server"]`))
	if eval[bool](b, `document.querySelector('#f-program').getClientRects().length > 0`) || !eval[bool](b, `document.querySelector('#f-call').getClientRects().length > 0`) {
		t.Error("the script is not shown instead")
	}
}

func TestTheClientsCodeIsAccessible(t *testing.T) {
	t.Parallel()
	a := serve(t)
	type page struct{ lang, lesson string }
	for _, tt := range sample.Sample(t, []page{{"en", "redisson-lock"}, {"zh", "fair-lock"}}, 1) {
		t.Run(tt.lang, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.emulate(looks[0])
			b.play(a.url+"/"+tt.lang+"/lessons/"+tt.lesson+"/", 8)
			b.toClients(false)
			script := press(`.tabs [data-tab="script"]`)
			b.isAccessible(tt.lang, "clients", script)
			b.lineKey(kb.ArrowLeft)
			b.lineKey(kb.ArrowLeft)
			b.isAccessible(tt.lang, "clients-line", script)
		})
	}
}
