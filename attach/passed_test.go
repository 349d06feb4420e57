package attach_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/attach"
	"lockstep/attach/proxy"
	"lockstep/node/redis/conversations"
)

// serverAt starts a real server on a port of this machine.
func serverAt(t testing.TB, binary string, args ...string) (addr string) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr = listener.Addr().String()
	_, port, _ := net.SplitHostPort(addr)
	listener.Close()
	conversations.StartServer(t, binary, append([]string{"--port", port, "--bind", "127.0.0.1"}, args...)...)
	return addr
}

// settled waits until the recorder knows of what a client has just heard.
type settled struct{ p *proxy.Proxy }

func (s settled) wait() {
	for range time.Tick(100 * time.Microsecond) {
		if s.p.Idle() {
			return
		}
	}
}

func (settled) DialHook(next redis.DialHook) redis.DialHook { return next }

func (s settled) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		defer s.wait()
		return next(ctx, cmd)
	}
}

func (s settled) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		defer s.wait()
		return next(ctx, cmds)
	}
}

// passed is follow with a real server behind a proxy.
func passed(binary string) func(*testing.T) (*attach.Recorder, func(string) *redis.Client) {
	return func(t *testing.T) (*attach.Recorder, func(string) *redis.Client) {
		t.Helper()
		to, err := proxy.Parse("redis://" + serverAt(t, binary))
		must(t, err)
		p := proxy.New(to, slog.New(slog.NewTextHandler(io.Discard, nil)))
		listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		must(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		served := make(chan error)
		go func() { served <- p.Serve(ctx, listener) }()
		t.Cleanup(func() {
			cancel()
			if err := <-served; err != nil {
				t.Error(err)
			}
		})
		return p.Recorder(), func(name string) *redis.Client {
			rdb := redis.NewClient(&redis.Options{Addr: listener.Addr().String(), ClientName: name, Protocol: 2, DisableIdentity: true})
			rdb.AddHook(settled{p})
			t.Cleanup(func() { _ = rdb.Close() })
			return rdb
		}
	}
}

// What is told of an embedded server is told of real ones, too.
func TestRealServersAreFollowedAsWell(t *testing.T) {
	defer func() { follow = embedded }()
	for server, binary := range map[string]string{"Redis": conversations.RedisServer(t), "Valkey": conversations.ValkeyServer(t)} {
		follow = passed(binary)
		for name, test := range map[string]func(*testing.T){
			"CommandsAreSteps": TestCommandsAreSteps, "AnotherDatabaseIsNotRecorded": TestAnotherDatabaseIsNotRecorded,
			"ResetEndsATransaction": TestResetEndsATransaction, "LocksAreRecognised": TestLocksAreRecognised,
			"ALeaseThatWasOutlived": TestALeaseThatWasOutlived, "ALockIsTakenAgain": TestALockIsTakenAgain,
			"ATTLMayBeTakenFromWhatIsNoLock": TestATTLMayBeTakenFromWhatIsNoLock, "WaitersHaveABound": TestWaitersHaveABound,
			"ALockThatIsTakenAgainIsNoNewHold": TestALockThatIsTakenAgainIsNoNewHold, "Redisson": TestRedisson,
			"RedissonFairLock": TestRedissonFairLock, "OldStepsLeave": TestOldStepsLeave, "LocksStayOnThePage": TestLocksStayOnThePage,
			"Blocking": TestBlocking, "RedissonSpeaks": TestRedissonSpeaks, "ShedLockSpeaks": TestShedLockSpeaks, "LibrariesSpeak": TestLibrariesSpeak, "SpringSpeaks": TestSpringSpeaks,
			"ARaceMadeByHand": TestARaceMadeByHand, "AHeldClientGivesUp": TestAHeldClientGivesUp, "RulesAreRemoved": TestRulesAreRemoved,
			"ScriptsAreHeld": TestScriptsAreHeld, "ScriptsHaveNames": TestScriptsHaveNames,
			"TheServerEndsWithHeldRequests": TestTheServerEndsWithHeldRequests, "WhatOthersNoticeIsNotQuiet": TestWhatOthersNoticeIsNotQuiet,
			"NodeRedlock": TestNodeRedlock,
		} {
			t.Run(server+"/"+name, test)
		}
	}
}
