package player

import (
	"context"
	"errors"
	"fmt"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// Elsewhere is an engine that this player cannot open. Without a reason another
// player has it, and the page goes there when it is chosen.
type Elsewhere struct {
	Kind    ui.EngineKind
	Version string
	Why     lessons.Text // nobody has it, and what would make it so
}

// State is what the page shows of the engine.
func (e Elsewhere) State(lang lessons.Lang) ui.EngineState {
	return ui.EngineState{Kind: e.Kind, Version: e.Version, Reason: e.Why.In(lang)}
}

// Open fails.
func (e Elsewhere) Open(context.Context, string, *lessons.Lesson) ([]engine.NodeSpec, func() error, error) {
	return nil, nil, errors.New("the engine " + string(e.Kind) + " is not in this player")
}

// WithoutServer is the engines of a site that is files only.
func WithoutServer() []Engine {
	all := []Engine{
		Embedded{InBrowser: true},
		Elsewhere{Kind: ui.Embedded, Why: lessons.Text{
			En: "This site is files only, so everything runs in your browser. For a server of your own, run: playground serve",
			Zh: "本站只有静态文件，一切都在你的浏览器中运行。要使用自己的服务器，请运行：playground serve",
		}},
		Elsewhere{Kind: ui.Redis, Why: lessons.Text{
			En: "A browser cannot reach a Redis. To play the lessons on a real one, run: playground serve --redis-url redis://127.0.0.1:6379",
			Zh: "浏览器无法直接连接 Redis。要在真实 Redis 上运行课程，请运行：playground serve --redis-url redis://127.0.0.1:6379",
		}},
	}
	for _, kind := range lessons.NodeKinds {
		if e := ui.EngineKind(kind.Real.Engine); e != "" && e != ui.Redis {
			all = append(all, Elsewhere{Kind: e, Why: lessons.Text{
				En: fmt.Sprintf("A browser cannot start a %s. To play the lessons on a real one, run: playground serve", kind.Real.Name),
				Zh: fmt.Sprintf("浏览器无法启动 %s。要在真实 %[1]s 上运行课程，请运行：playground serve", kind.Real.Name),
			}})
		}
	}
	return all
}
