package found_test

import (
	"context"
	"testing"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/limiter"
	storage "github.com/gofiber/storage/redis/v3"
	"github.com/gofiber/utils/v2"
	"github.com/valyala/fasthttp"

	"lockstep/redistest"
)

// The limiter reads the counter and writes it in two requests.
func TestFiberLimiter(t *testing.T) {
	utils.StartTimeStampUpdater() // or a process would, whose goroutine never ends
	for name, window := range map[string]limiter.Handler{"fixed": limiter.FixedWindow{}, "sliding": limiter.SlidingWindow{}} {
		t.Run(name, func(t *testing.T) {
			breaks(t, limitedOnly(func(ctx context.Context, p *redistest.Process) bool {
				app := fiber.New()
				app.Use(limiter.New(limiter.Config{
					Max: 1, Expiration: time.Minute, LimiterMiddleware: window,
					Storage: storage.NewFromConnection(client(ctx, p, "redis")),
				}))
				app.Get("/", func(c fiber.Ctx) error { return c.SendString("allowed") })
				var c fasthttp.RequestCtx
				c.Init(&fasthttp.Request{}, nil, nil)
				app.Handler()(&c)
				return c.Response.StatusCode() == fasthttp.StatusOK
			}), redistest.Bounds{}, "mutual exclusion")
		})
	}
}
