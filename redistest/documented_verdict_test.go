package redistest_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

func ExampleDoubt() {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Client("A", func(context.Context, *redis.Client) {})
	}, redistest.Bounds{})
	for _, found := range v.Doubts {
		switch found.Doubt {
		case redistest.Missing, redistest.Idle:
			fmt.Println("nothing happens:", found.Text)
		case redistest.Uncontested, redistest.Endless, redistest.Chance, redistest.Unknown:
			fmt.Println(found.Text)
		}
	}
	// Output:
	// nothing happens: no process has entered a section, and there is no other invariant, so nothing was asked
	// nothing happens: A never asked a server for anything
}

func ExampleFound() {
	fmt.Println(redistest.Found{Doubt: redistest.Missing, Text: "there is no invariant"}.Text)
	// Output:
	// there is no invariant
}

func ExampleVerdict() {
	tell := func(v redistest.Verdict) {
		if v.Broken != nil {
			fmt.Println(v.Broken, v.Schedule)
			fmt.Print(v.Story)
			return
		}
		fmt.Println("schedules:", v.Schedules, v.Walks, v.Complete, v.Beyond)
		fmt.Println("doubts:", v.Doubts, v.Cut, v.Endless, v.Strayed)
	}
	tell(redistest.Search(t, twoClients, redistest.Bounds{Pauses: 1, Ticks: 1}))
	tell(redistest.Search(t, twoClients, redistest.Bounds{Ticks: 1, Schedules: 5, Walks: 10}))
	// Output:
	// mutual exclusion: A and B are inside the section at the same time redistest.Schedule{{0, 3}, {1, 2}, {2, 1}}
	//         0s  A: set lock A ex 3 nx → OK, which it does not see yet: it is paused
	//     3.001s  3.001s pass
	//     3.001s  A goes on
	//     3.001s  A enters the section
	//     3.001s  B: set lock B ex 3 nx → OK
	//     3.001s  B enters the section
	// schedules: 5 10 false 0
	// doubts: [] 0 redistest.Schedule{} 0
}

func ExampleVerdict_Holds() {
	fmt.Println(redistest.Search(t, twoClients, redistest.Bounds{}).Holds())
	// Output:
	// true
}

func ExampleVerdict_String() {
	fmt.Println(redistest.Search(t, twoClients, redistest.Bounds{Losses: 1}).String())
	// Output:
	// holds: all 8 schedules within the bounds
	// the section was entered by A in 3, B in 3, of 8 schedules that ran to their ends
	// not tried, as these bounds are 0: Ticks, Pauses, Drops, Slow, Crashes, Restarts, Outages, Hangs, Failovers
}

func ExampleVerdict_WriteLesson() {
	dir, _ := os.MkdirTemp("", "found") // or t.ArtifactDir()
	defer os.RemoveAll(dir)
	v := redistest.Search(t, twoClients, redistest.Bounds{Pauses: 1, Ticks: 1})
	fmt.Println(v.WriteLesson(dir))
	// Output:
	// <nil>
}

func ExampleSchedule() {
	fmt.Println(redistest.Schedule{{Step: 1, Choice: 1}, {Step: 3, Choice: 2}})
	// Output:
	// redistest.Schedule{{1, 1}, {3, 2}}
}

func ExampleSchedule_String() {
	fmt.Println(redistest.Schedule{{1, 1}, {3, 2}}.String())
	// Output:
	// redistest.Schedule{{1, 1}, {3, 2}}
}

func ExampleDeviation() {
	second := redistest.Deviation{Step: 0, Choice: 1}
	fmt.Print(redistest.Replay(t, twoClients, redistest.Bounds{}, redistest.Schedule{second}))
	// Output:
	//         0s  B: set lock B ex 3 nx → OK
	//         0s  B enters the section
	//         0s  A: set lock A ex 3 nx → nil
	//         1s  B leaves the section
	//         1s  B: del lock → 1
}

func ExampleStory() {
	for _, event := range redistest.Replay(t, twoClients, redistest.Bounds{}, nil) {
		fmt.Println(event.At, event.Text)
	}
	// Output:
	// 0s A: set lock A ex 3 nx → OK
	// 0s A enters the section
	// 0s B: set lock B ex 3 nx → nil
	// 1s A leaves the section
	// 1s A: del lock → 1
}

func ExampleStory_String() {
	fmt.Print(redistest.Story{{At: time.Second, Text: "A: get lock → A"}}.String())
	// Output:
	//         1s  A: get lock → A
}

func ExampleEvent() {
	fmt.Println(redistest.Story{redistest.Event{At: time.Second, Text: "A: get lock → A"}})
	// Output:
	//         1s  A: get lock → A
}
