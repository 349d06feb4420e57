package draft_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/fact"
	"lockstep/lessons/draft"
)

// In each language a script stands as its programs write it.
func TestScriptsAreFoundInTheCodeOfPrograms(t *testing.T) {
	tests := []struct{ file, text, names string }{
		{"Lock.java", `
class Lock {
  // redis.call("DEL", KEYS[1]) without looking is wrong
  private static final String RELEASE_SCRIPT =
      "if redis.call('get', KEYS[1]) == ARGV[1] then " +
      "  return redis.call('del', KEYS[1]) " + // only the owner
      "end return 0";

  RFuture<Boolean> extendAsync(long lease) throws IOException {
    return evalAsync(name(), Codec.TEXT, "if (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then " +
        "redis.call('pexpire', KEYS[1], ARGV[1]); return 1; end; return 0;", keys, lease);
  }
  static final String BLOCK = """
      return redis.call('incr', KEYS[1])
      """;
}`, "release extend block"},
		{"Built.java", `
static {
    StringBuilder sb = new StringBuilder();
    sb.append("if redis.call('get', KEYS[1]) == ARGV[1] ");
    sb.append("then return redis.call('del', KEYS[1]) ").append("else return 0 end");
    UNLOCK_LUA = sb.toString();
}`, "unlock"},
		{"added.js", "let script = \"if redis.call('get', KEYS[1]) == ARGV[1] \";\nscript += \"then return redis.call('del', KEYS[1]) end\";\n", "added"},
		{"lock.go", "package x\n\nvar acquire = redis.NewScript(`\n\tif redis.call('exists', KEYS[1]) == 0 then\n\t\treturn redis.call('set', KEYS[1], ARGV[1])\n\tend\n`)\n\n" +
			"const releaseLua = \"return redis.call(\\\"del\\\", KEYS[1])\"\n", "acquire release"},
		{"lock.py", `
RELEASE = """
    -- it's mine?
    if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end
"""
class Lock:
    LUA_EXTEND = ("return redis.call('pexpire', "  # ms
                  "KEYS[1], ARGV[1])")
    def reacquire(self):
        self.client.eval(r'return redis.call("incr", KEYS[1])', 1, self.name)
`, "release extend reacquire"},
		{"command.ex", "defmodule Command do\n  import Util, only: [log: 3]\n\n  @unlock_script ~S\"\"\"\n  return redis.call('del', KEYS[1])\n  \"\"\"\n\n  @extend_script \"return redis.call('pexpire', KEYS[1], ARGV[1])\"\nend\n", "unlock extend"},
		{"lock.rb", `
module Scripts
  UNLOCK = <<~LUA
    return redis.call("del", KEYS[1])
  LUA
  TAKE = %q(return redis.call("setnx", KEYS[1], ARGV[1]))
end
`, "unlock take"},
		{"Lock.php", `<?php
class LuaScripts {
    public static function releaseLock() {
        return <<<'LUA'
if redis.call("get",KEYS[1]) == ARGV[1] then
    return redis.call("del",KEYS[1])
end
LUA;
    }
    const TAKE = 'return redis.call(\'setnx\', ' . 'KEYS[1], ARGV[1])';
}`, "release-lock take"},
		{"lock.ts", "const scripts = {\n  tryLock: `return redis.call('set', KEYS[1], ARGV[1], 'NX')`,\n" +
			"  unlock: [\n    'if redis.call(\"get\", KEYS[1]) == ARGV[1] then',\n    '  return redis.call(\"del\", KEYS[1])',\n    'end',\n  ].join('\\n'),\n};\n", "try-lock unlock"},
		{"lock.rs", "const UNLOCK_SCRIPT: &str = r\"if redis.call('get', KEYS[1]) == ARGV[1] then\n  return redis.call('del', KEYS[1])\nend\";\n", "unlock"},
		{"life.rs", "const TAKE: &'static str = r#\"\n  return redis.call('setnx', KEYS[1], ARGV[1])\n\"#;\nconst UNLOCK: &'static str = r#\"return redis.call('del', KEYS[1])\"#;\n", "take unlock"},
		{"line.js", "redis.defineCommand('freeLock', { numberOfKeys: 1, lua: `local n = redis.call('del', KEYS[1]);\\nreturn n` })", "free-lock"},
		{"RateStore.js", "const lua = `return redis.call('incr', KEYS[1])`;", "rate-store"},
		{"limit.js", "const incr = `redis.call('incr', KEYS[1]) \\\nreturn 1 \\\n`;\n", "incr"},
		{"Unlock.lua", "return redis.call('del', KEYS[1])", "unlock"},
	}
	for _, tt := range tests {
		found, err := draft.Scripts(tt.file, tt.text)
		var names []string
		for _, s := range found {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != tt.names {
			t.Errorf("%s has the scripts %s, want %s (%v)", tt.file, got, tt.names, err)
		}
	}
}

func TestWhatIsNoScriptIsSaid(t *testing.T) {
	for file, text := range map[string]string{
		"lock.lua":  "if redis.call( then",
		"lock.py":   "RELEASE = 'if redis.call(\"get\", KEYS[1]) == %s then' % token",
		"lock.java": `String s = "nothing of the kind";`,
		"empty.go":  "",
		"lock.go":   "call := `redis.call('del', KEYS[1])`\nscript := fmt.Sprintf(`if redis.call('get', KEYS[1]) then %s end return 1`, call)",
		"lock.php":  "<?php $ok = $redis->set($key, $id, 'EX', 30, 'NX'); $redis->eval(Scripts::release(), 1, $key); function force() { $redis->del($key); }",
	} {
		if found, err := draft.Scripts(file, text); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v, %v", file, found, err)
		}
	}
}

func FuzzScripts(f *testing.F) {
	f.Add("a.java", `"redis.call(" + 'x' // "`)
	f.Add("a.rb", "x = <<~LUA\nredis.call()\nLUA\n%q(redis.call('get'))")
	f.Add("a.rs", `r#"redis.call('get', KEYS[1])"#`)
	f.Fuzz(func(_ *testing.T, file, text string) { _, _ = draft.Scripts(file, text) })
}

// The functions of a library are scripts, each with what it uses of the library and with no more, alone in its file and in
// the code of a program.
// A text that puts in ten thousand texts, each of which does the same, has no end.
func TestTextsInTextsDoNotGrowWithoutEnd(t *testing.T) {
	text := "const lease = `\n" + strings.Repeat("local x = 1 ", 1000) + "`;\n" +
		"const inner = `\n" + strings.Repeat("${lease} ", 1000) + "`;\n" +
		"const outer = `\n" + strings.Repeat("${inner} ", 1000) + "`;\n" +
		"const lock = `\nreturn redis.call('SET', KEYS[1], ARGV[1], 'NX') ${outer} ${outer}`;\n"
	if found, err := draft.Scripts("lock.js", text); err == nil {
		t.Errorf("it makes %d scripts", len(found))
	}
}

// Hundreds of scripts are not of one lock, and each pair of them would be tried.
func TestScriptsOfManyLocksAreNotTried(t *testing.T) {
	var code, library strings.Builder
	library.WriteString("#!lua name=locks\n")
	for i := range 101 {
		fmt.Fprintf(&code, "x = `redis.call('DEL', '%d')`\n", i)
		fmt.Fprintf(&library, "redis.register_function('f%d', function(keys, args) return redis.call('DEL', keys[1]) end)\n", i)
	}
	for file, text := range map[string]string{"locks.js": code.String(), "locks.lua": library.String()} {
		_, err := draft.Scripts(file, text)
		if f, _ := errors.AsType[fact.Fact](err); f.Code != "draft-many" {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestTrialsEndWithTheirContext(t *testing.T) {
	scripts, err := draft.Scripts("lock.lua", "return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 30000)")
	if err != nil {
		t.Fatal(err)
	}
	late := errors.New("too late")
	ctx, end := context.WithCancelCause(t.Context())
	end(late)
	if _, err := draft.New(ctx, "my-lock", scripts, draft.Chosen{}); !errors.Is(err, late) {
		t.Errorf("a trial that had no time tells %v", err)
	}
}

func TestFunctionsOfALibraryAreScripts(t *testing.T) {
	library := `#!lua name=locks
local PX = 'PX'
local unused = redis.call
local function mine(keys, args) return redis.call('get', keys[1]) == args[1] end
redis.register_function('lock', function(keys, args)
  return redis.call('set', keys[1], args[1], 'NX', PX, args[2])
end)
local function unlock(k, a)
  if mine(k, a) then return redis.call('del', k[1]) end
end
redis.register_function{function_name = 'unlock', callback = unlock, flags = {}}
`
	want := map[string]string{
		"lock": `local PX = 'PX'
local function lock(KEYS, ARGV)
  return redis.call('set', KEYS[1], ARGV[1], 'NX', PX, ARGV[2])
end
return lock(KEYS, ARGV)`,
		"unlock": `local function mine(keys, args) return redis.call('get', keys[1]) == args[1] end
local function unlock(KEYS, ARGV)
  if mine(KEYS, ARGV) then return redis.call('del', KEYS[1]) end
end
return unlock(KEYS, ARGV)`,
	}
	_, withoutFirst, _ := strings.Cut(library, "\n") // which a program may put before it
	for file, text := range map[string]string{"locks.lua": library, "locks.py": `LOCKS = """` + library + `"""`, "rest.lua": withoutFirst} {
		found, err := draft.Scripts(file, text)
		if err != nil || len(found) != len(want) {
			t.Errorf("%s: %v, %v", file, found, err)
		}
		for _, s := range found {
			if s.Source != want[s.Name] || !s.OfLibrary {
				t.Errorf("%s: %s is\n%s", file, s.Name, s.Source)
			}
		}
	}
}

// Parameters are renamed, and what only has their names is not: a function, a method, a field and the keys of a table.
func TestParametersAreRenamed(t *testing.T) {
	found, err := draft.Scripts("locks.lua", `#!lua name=locks
redis.register_function('lock', function(lower, lock)
  local is = {lower = #lower, lock = lock[1]}
  return redis.call('set', lower[1]:lower(), is.lock, 'NX', 'PX', lock[#lock])
end)
`)
	want := `local function lock(KEYS, ARGV)
  local is = {lower = #KEYS, lock = ARGV[1]}
  return redis.call('set', KEYS[1]:lower(), is.lock, 'NX', 'PX', ARGV[#ARGV])
end
return lock(KEYS, ARGV)`
	if err != nil || len(found) != 1 || found[0].Source != want {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestALibraryWhoseFunctionsCannotBeReadIsNoScript(t *testing.T) {
	for _, text := range []string{"for name, f in pairs(all) do redis.register_function(name, f) end\n", "redis.register_function{function_name = 'x', callback = function(keys) return 1 end}\n"} {
		_, err := draft.Scripts("locks.lua", "#!lua name=locks\n"+text)
		if why := (fact.Fact{}); !errors.As(err, &why) || why.Code != "draft-library" {
			t.Errorf("%v, want that it is a library", err)
		}
	}
}

// Names behind a sign, as StackExchange.Redis has them, are KEYS and ARGV in a file of Lua, too.
func TestNamesBehindASignAreArguments(t *testing.T) {
	for _, file := range []string{"text", "free.lua"} {
		found, err := draft.Scripts(file, "if redis.call('get', @lock) == @owner then return redis.call('del', @lock) end return 0")
		if err != nil || len(found) != 1 || !strings.Contains(found[0].Source, "local lock, owner = KEYS[1], ARGV[1] ") || !slices.Equal(found[0].Filled, []string{"lock", "owner"}) {
			t.Errorf("%s: %+v, %v", file, found, err)
		}
	}
}

// A text that calls Redis itself, and no program does, is meant to be a script: what is wrong with it is said with its line.
func TestAScriptThatIsNoLuaIsToldWhere(t *testing.T) {
	text := "local key = KEYS[1]\nif redis.call('set' key) then return 1 end\n"
	for file, want := range map[string]string{"text": "text:2: this is no Lua that compiles: ", "lock.lua": "lock.lua:2: this is no Lua that compiles: "} {
		if _, err := draft.Scripts(file, text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("of %s it is said: %v", file, err)
		}
	}
}

// A text that the program puts in says yes, another one no.
func TestTextsThatAProgramPutsInDiffer(t *testing.T) {
	found, err := draft.Scripts("lock.ts", "const tryLock = `if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return '${Status.DONE}' end return '${Status.TAKEN}'`")
	if err != nil {
		t.Fatal(err)
	}
	d, err := draft.New(t.Context(), "my-lock", found, draft.Chosen{})
	if err != nil || !strings.Contains(d.Files[0].Text, `if reply == "DONE"`) {
		t.Errorf("%v\n%s", err, d.Files[0].Text)
	}
}

// Reading ends, however many functions have a parameter of one name.
func TestFunctionsOfOneParameterAreRead(t *testing.T) {
	functions := strings.Repeat("local function f(key, n) return f(key .. n, n .. key) end ", 40)
	if d, _ := made(t, draft.Chosen{}, "lock: "+functions+"if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end return 0", delete); len(d.Doubts) > 0 {
		t.Errorf("it doubts %v", d.Doubts)
	}
}

// Variables that are made of each other are looked through once.
func TestAReadingOfManySumsEnds(t *testing.T) {
	sums := strings.Repeat("x = x + x ", 300)
	if d, _ := made(t, draft.Chosen{}, "lock: local t = redis.call('TIME')[1] local x = 0 "+sums+"if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2] + x) then return 1 end return 0", delete); len(d.Doubts) > 0 {
		t.Errorf("it doubts %v", d.Doubts)
	}
}

// A script that adds to one variable again and again, twice as often, takes twice as much to read, not four times.
func TestSumsAreReadOnce(t *testing.T) {
	_, source, _ := strings.Cut(setNX, ": ")
	read := func(sums int) float64 {
		text := "local x = ARGV[3] " + strings.Repeat("x = x + ARGV[3] * ARGV[4] - x ", sums) + source
		return testing.AllocsPerRun(1, func() {
			scripts, err := draft.Scripts("lock.lua", text)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := draft.New(t.Context(), "my-lock", scripts, draft.Chosen{}); err != nil {
				t.Fatal(err)
			}
		})
	}
	if some, twice := read(100), read(200); twice > 3*some {
		t.Errorf("200 sums take %.0f pieces of memory, 100 of them %.0f", twice, some)
	}
}
