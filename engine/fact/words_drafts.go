//go:build !js || author

package fact

// Of lessons that are made of somebody's scripts, which learners do not make.
func init() {
	add([][1 + languages]string{
		{
			"draft-no-script",
			"%s has no script: no text in it calls redis.call. Nor does its code send SET NX or SETNX in a way that could be read",
			"%s 里没有脚本：没有哪段文本调用 redis.call；代码里也没有能读懂的 SET NX 或 SETNX",
		},
		{
			"draft-none-pasted",
			"there is no script in the text: nothing in it calls redis.call. Nor does it send SET NX or SETNX in a way that could be read",
			"这段文本里没有脚本：没有调用 redis.call 的地方；也没有能读懂的 SET NX 或 SETNX",
		},
		{
			"draft-no-lua",
			"%s:%d: this is no Lua that compiles: %s",
			"%s:%d：这不是能编译的 Lua：%s",
		},
		{
			"draft-long",
			"%s:%d: this script has %d bytes, but at most %d can be played",
			"%s:%d：这段脚本有 %d 字节，最多只能演示 %d 字节",
		},
		{
			"draft-script-elsewhere",
			"%s:%d sends a script whose text stands in another file: give that file as well, or instead",
			"%s:%d 会发送脚本，但脚本的文本在别的文件里：请把那个文件也给出，或者只给那个文件",
		},
		{
			"draft-dynamic",
			"%s:%d: this script does not compile as it stands there (%v): write it into a .lua file as the program sends it",
			"%s:%d：这段脚本照原样无法编译（%v）：请把程序实际发送的内容写进一个 .lua 文件",
		},
		{
			"draft-library",
			"%s:%d: this is a library of functions (FUNCTION LOAD), and none that it registers could be read: write the body of each function into a script of its own, with KEYS and ARGV for what it is given",
			"%s:%d：这是函数库（FUNCTION LOAD），但没能读出它注册的函数：请把每个函数的函数体单独写成一个脚本，传入的参数改用 KEYS 和 ARGV",
		},
		{
			"draft-key-as-value",
			"%s:%d: %s takes %s for a value, not for a key, and it is passed so here. A cluster refuses it, since it looks for the slot of each of KEYS: pass it as one of ARGV",
			"%s:%d：%s 把 %s 当作值，而不是 key，这里也照样传值。集群会按每个 KEYS 计算槽位，因而会拒绝：请改用 ARGV 传入",
		},
		{
			"draft-random",
			"%s:%d: %s draws numbers with math.random, which no two servers draw alike: let it take what it makes of them, such as a member that is unique, as one of ARGV",
			"%s:%d：%s 用 math.random 取随机数，各服务器取到的都不一样：请把由它得到的值（例如唯一的成员名）改成由 ARGV 传入",
		},
		{
			"draft-decodes",
			"%s:%d: %s decodes %s, and what is in it could not be told: write its values into the script, or let it take each as one of ARGV",
			"%s:%d：%s 会解码 %s，看不出里面该有什么：请把其中的值写进脚本，或者改成逐个由 ARGV 传入",
		},
		{
			"draft-global",
			"%s:%d: %s assigns the variable %s without declaring it, and Redis lets no script make a global variable: write local before it",
			"%s:%d：%s 给没有声明的变量 %s 赋值，而 Redis 不允许脚本创建全局变量：请在前面加上 local",
		},
		{
			"draft-grants-nobody",
			"%s:%d: %s never says yes: when it was tried on an empty server, it answered %s to the first client as to the second. If it compares the reply of SET with 'OK': a script gets a table there, so write result and result.ok == 'OK', or just if result. If it compares the reply of GET with nil: what is not there is false, so write not value",
			"%s:%d：%s 从不放行：在空的服务器上试运行时，对第一个客户端和第二个一样返回 %s。如果它把 SET 的返回值和 'OK' 比较：脚本拿到的是 table，应写 result and result.ok == 'OK'，或者直接 if result。如果它把 GET 的返回值和 nil 比较：不存在时拿到的是 false，应写 not value",
		},
		{
			"draft-zero-is-true",
			"%s:%d: %s takes the reply of %s for a yes or no, but it is a number, and in Lua 0 is true as well: that condition always holds. Compare the reply: == 1",
			"%s:%d：%s 直接拿 %s 的返回值当条件，但它返回的是数字，而 Lua 里 0 也是真，这个条件永远成立。请改成比较：== 1",
		},
		{
			"draft-hoards",
			"%s counts the members by ZCARD and does not remove those whose time is over. Unless something else does, who crashes leaves one behind, which counts for as long as calls of others keep the key alive. ZREMRANGEBYSCORE before ZCARD removes them",
			"%s 用 ZCARD 数成员，却不删除已过期的。如果别处也没有删除，崩溃的客户端留下的成员，只要别人的调用还在给 key 续期，就一直算在内。请在 ZCARD 之前用 ZREMRANGEBYSCORE 删掉它们",
		},
		{
			"draft-own-id",
			"%s lets XADD make its ID by the server's clock, which no two servers have alike: here each client passes its own time in place of it",
			"%s 让 XADD 用服务器时钟生成 ID，各服务器生成的都不一样：这里改由客户端各传自己的时间",
		},
		{"draft-failed", "%s:%d: the script %s failed when it was tried: %s", "%s:%d：试运行脚本 %s 时出错：%s"},
		{
			"draft-defined-elsewhere",
			"%s:%d: %s uses %s, which no text here defines. If the program puts another text before it, write the whole script into a .lua file as it is sent",
			"%s:%d：%s 用到了 %s，这里没有哪段文本定义它。如果程序会在前面拼上别的文本，请把实际发送的整段脚本写进一个 .lua 文件",
		},
		{
			"draft-gives-nothing",
			"%s:%d: no script here takes a lock, and %s gives back none that SET makes: give the script that takes it as well",
			"%s:%d：这里没有加锁的脚本，而 %s 释放不了用 SET 加的锁：请把加锁的脚本也一并给出",
		},
		{
			"draft-not-played",
			"the programs that were made of these scripts do not run: %v",
			"由这些脚本生成的程序无法运行：%v",
		},
		{
			"draft-no-lock",
			"none of these scripts takes a lock or gives one back, by what they write: %v",
			"从写入的内容看，这些脚本都既不加锁也不释放锁：%v",
		},
		{"draft-no-such-script", "there is no script %q: choose among %v", "没有脚本 %q，现有的脚本是：%v"},
		{
			"draft-frees-anothers",
			"%s gives back a lock that another client holds: when it was tried, B freed the lock of A. It must compare who asks",
			"%s 会释放别人持有的锁：试运行时，B 释放了 A 的锁。释放前必须核对是谁在请求",
		},
		{"draft-takes-by-set", "no script takes the lock: the clients take it with SET NX PX, and %s gives it back", "没有加锁的脚本：客户端用 SET NX PX 加锁，由 %s 释放"},
		{"draft-nothing-gives", "no script gives back what %s takes: the lock ends with its lease", "没有脚本释放 %s 拿到的锁：锁只会到期"},
		{
			"draft-never-ends",
			"no script gives back what %s takes, and its keys have no TTL: whoever gets it keeps it",
			"没有脚本释放 %s 拿到的锁，它的 key 也没有 TTL：拿到之后就一直占着",
		},
		{
			"draft-frees-nested",
			"%s counts how often its holder takes the lock, and %s frees it too soon: when A had taken it twice and given it back once, B took it",
			"%s 会记录持有者的重入次数，%s 却释放得太早：试运行时，A 加锁两次、只释放一次，B 就拿到了锁",
		},
		{
			"draft-keeps-nested",
			"%s counts how often its holder takes the lock, and %s does not free it in the end: when A had taken it twice and given it back twice, B was still refused",
			"%s 会记录持有者的重入次数，%s 最后却没有释放：试运行时，A 加锁两次、也释放两次，B 仍被拒绝",
		},
		{
			"draft-one-more",
			"%[2]s lets one more pass than %[1]s, by which it is limited: with 1 it let two pass at once, so here it is given 0. Unless a burst is meant, > and >= (or < and <=) are mixed up where it compares",
			"%[2]s 放行的比上限 %[1]s 多一个：传 1 时同时放行了两个，所以这里传 0。如果不是有意允许突发，就是比较时 > 和 >=（或 < 和 <=）写错了",
		},
		{
			"draft-forgets",
			"%s counts the calls of the last %s, but its key ends sooner: a second call passed after %s. The key must last at least as long as what it counts",
			"%s 统计最近 %s 内的调用，key 却更早到期：过了 %s 就放行了第二次调用。key 的有效期不能短于统计的时间",
		},
		{
			"draft-extends-anothers",
			"%s extends a lock that another client holds: when it was tried, B extended the lease of A. Whoever has lost the lock keeps the next holder's alive. It must compare who asks",
			"%s 会给别人持有的锁续期：试运行时，B 延长了 A 的租期。已经丢了锁的客户端会让下一个持有者的锁一直不到期。续期前必须核对是谁在请求",
		},
		{
			"draft-address",
			"%s writes the address of a table, as tostring makes it of the reply of SET, to %s: each server writes another one, so the lesson fails on real servers. Leave that out",
			"%s 把 table 的地址（对 SET 的返回值调用 tostring 得到）写进 %s：每台服务器写的都不同，课程在真实服务器上会检查不过。请去掉这一步",
		},
		{
			"draft-outlived",
			"two are inside only after a pause. One that is longer than the lease does that to every lock that ends by itself: what it guards must refuse whoever comes late, by a fencing token",
			"只有停顿之后才会两个同时在内。停顿一旦超过租期，凡是会自动到期的锁都这样：被保护的资源要用 fencing token 拒绝迟到者",
		},
		{
			"draft-coarse",
			"where it holds, the clock stops at few instants only: a search with more of them was cut short, and may find a break. Search the lesson for longer",
			"说“成立”的地方，时钟只在少数时刻停下；时刻更多的搜索没做完，仍可能找到破绽：请打开课程再搜久一些",
		},
		{
			"draft-deletes-anothers",
			"%s deletes a lock that is another client's by then: when it was tried, the lease of A ended before its DEL, B took the lock, and A deleted it. One script must compare and delete",
			"%s 会删掉别人的锁：试运行时，A 的租期在它 DEL 之前到期，B 拿到了锁，随后被 A 删掉。比较和删除必须放在同一个脚本里",
		},
		{
			"draft-commands",
			"%s has no script: the clients send the commands that its code seems to send, in this order: %s. Whether the code sends others, or waits between them, was not read",
			"%s 里没有脚本：客户端按代码里看到的顺序发送这些命令：%s。代码是否还发送别的命令、是否在中间等待，没有分析",
		},
		{
			"draft-limits",
			"%s is taken for a rate limiter: nobody gives back what it counts. Tried with these values, it let a second call pass after %s: the rule is that no two calls are closer",
			"%s 被当作限流器：没有人归还它计的数。用这些参数试运行时，过了 %s 才放行第二次调用，所以规则是：两次调用不能挨得更近",
		},
		{
			"draft-asks-again",
			"%s lets pass too soon whom it has refused: %s after a refusal. So a client that is refused asks once more by then",
			"%s 拒绝过一次之后反而放行得更早：拒绝后只过 %s。因此被拒绝的客户端会等到那时再请求一次",
		},
		{
			"draft-limits-windows",
			"%s is taken for a rate limiter with a key for each of two windows, which the clients name by their clocks, as its program probably does: the rule is that no two calls are closer than %s",
			"%s 被当作用两个窗口各自的 key 计数的限流器：客户端按自己的时钟给 key 命名，原程序大概也是这样。规则是：两次调用至少相隔 %s",
		},
		{
			"draft-seconds",
			"%s is given the client's time in seconds with fractions. From a program that passes whole seconds it lets a second call pass up to a second sooner",
			"传给 %s 的客户端时间是带小数的秒。如果程序传的是整秒，第二次调用最多会提前 1 秒放行",
		},
		{
			"draft-keys-of-windows",
			"%s has a key for each of two windows, which its program probably names by the time. Here their names stay, and so the span is longer",
			"%s 用两个窗口各自的 key，程序大概按时间给它们命名。这里 key 名不变，所以量到的间隔偏长",
		},
		{
			"draft-functions",
			"%v of a library of functions (FUNCTION LOAD) is played as a script: with what it uses of the library, and with KEYS and ARGV for what it is given",
			"%v 来自函数库（FUNCTION LOAD），这里当作脚本运行：带上它用到的库代码，传入的参数就是 KEYS 和 ARGV",
		},
		{
			"draft-drawn",
			"%s draws numbers with math.random, which no two servers draw alike: here each client passes a number of its own in place of it",
			"%s 用 math.random 取随机数，各服务器取到的都不一样：这里改由客户端各传一个不同的数",
		},
		{
			"draft-filled",
			"the program puts %v into %s before it sends it: here they are passed as KEYS and ARGV",
			"程序发送前会把 %v 填进 %s：这里改用 KEYS 和 ARGV 传入",
		},
		{
			"draft-no-refusal",
			"%s answered %s to a second client as well: whether it refuses could not be told, so no rule says that one alone is inside. If a value in args is a limit, or the reply says it elsewhere, write the condition in the programs",
			"%s 对第二个客户端也返回了 %s：无法判断它怎样算拒绝，因此没有“只有一个在内”的规则。如果 args 里有上限，或者返回值另有含义，请自己在程序里写条件",
		},
		{
			"draft-fills",
			"%s makes the list %s, from which the clients probably take by a command of their own, such as BLPOP. That command is not played, so no rule says that one alone is inside: write it in the programs",
			"%s 只建好列表 %s，客户端大概另用 BLPOP 之类的命令从中取。这个命令没有运行，因此没有“只有一个在内”的规则：请把它写进程序",
		},
		{
			"draft-counts-forever",
			"%s names nobody, as a rate limiter does, and tried with these values it let no second call pass within a day. Here it is played as a lock that nobody gives back: see whether its keys get a TTL",
			"%s 不记录是谁，像是限流器；用这些参数试运行时，一天之内都没有放行第二次调用。这里当作没有人释放的锁来运行：请看看它的 key 有没有设上 TTL",
		},
		{
			"draft-claims",
			"%s is taken for the claim of a job: %s has one at first, and the rule is that one client alone works on it. Whether the job of a client that crashes comes back is not asked",
			"%s 被当作领取任务的脚本：%s 里一开始有一个任务，规则是同一个任务只由一个客户端处理。领走任务的客户端崩溃之后，任务会不会再放回来，没有检查",
		},
		{
			"draft-sells",
			"%s is taken for a sale, or for what is good for one use: %s is 1 at first, and the rule is that one client alone gets it. Whether it comes back when that client crashes is not asked",
			"%s 被当作扣减库存或一次性凭证的脚本：%s 一开始是 1，规则是只有一个客户端能拿到。拿到的客户端崩溃之后会不会退回来，没有检查",
		},
		{
			"draft-keeps",
			"%s gives something for good: nobody gives it back, and it never ends. So it is taken for a sale or a registration: the rule is that one client alone gets it. A lock like that would have no TTL",
			"%s 给出的东西不会收回：没有人归还，也不会到期。这里把它当作售出或登记，规则是只有一个客户端能拿到。如果它是锁，这把锁就没有 TTL",
		},
		{
			"draft-keeps-greatest",
			"%s:%d: %s refuses a client only if its %s is no greater than what is stored: it keeps the greatest number, so it is neither a lock nor a limiter, and no rule of either is asked",
			"%s:%d：%s 只在 %s 不大于已存的值时才拒绝：它保存最大的数，既不是锁也不是限流器，因此不套用它们的规则",
		},
		{
			"draft-keeps-smallest",
			"%s:%d: %s refuses a client only if its %s is no smaller than what is stored: it keeps the smallest number, so it is neither a lock nor a limiter, and no rule of either is asked",
			"%s:%d：%s 只在 %s 不小于已存的值时才拒绝：它保存最小的数，既不是锁也不是限流器，因此不套用它们的规则",
		},
		{
			"draft-idempotent",
			"%s:%d: %s remembers what a request did, so that the same request is not carried out again: who sends another one is not refused, so it is neither a lock nor a limiter",
			"%s:%d：%s 记下请求的结果，同一请求再来时不会重复执行：别的请求并不会被拒绝，因此它既不是锁也不是限流器",
		},
		{
			"draft-tells-first",
			"%s:%d: %s keeps what the first client gave it and answers that to everybody: it refuses nobody, so it is neither a lock nor a limiter",
			"%s:%d：%s 保存第一个客户端给的值，对谁都返回这个值：它不拒绝任何人，因此既不是锁也不是限流器",
		},
		{
			"draft-only-counts",
			"%s:%d: %s answers a count that grows with each call and never ends, and refuses nobody: it is neither a lock nor a limiter",
			"%s:%d：%s 返回的计数随每次调用增长，永不到期，也不拒绝任何人：它既不是锁也不是限流器",
		},
		{
			"draft-tells-when",
			"%s answers when the client may go on, %s and then %s, and refuses nobody: waiting for that is up to the program, so no rule says that one alone is inside",
			"%s 返回的是客户端何时可以继续（先 %s，后 %s），谁也不拒绝：等到那时是程序自己的事，因此没有“只有一个在内”的规则",
		},
		{
			"draft-refuses-nobody",
			"%s refuses nobody: when it was tried, it answered %s to a second client as well while the first had the lock",
			"%s 谁也不拒绝：试运行时，第一个客户端还持有锁，它对第二个客户端也返回了 %s",
		},
		{
			"draft-of-code",
			"no script gives back what was taken: the clients send %[3]s instead, as the code seems to do in %[1]s:%[2]d",
			"没有释放的脚本：客户端改为发送 %[3]s，代码在 %[1]s:%[2]d 看来就是这样做的",
		},
		{
			"draft-not-given-back",
			"after %s, %s still refused the next client with %s: the two may not belong together, or want other values",
			"执行 %s 之后，%s 仍然拒绝下一个客户端，返回 %s：两者可能不是一对，或者需要别的参数",
		},
		{"draft-from-last", "%s counts its ARGV from the last, and how many a program passes could not be told: those here may be wrong", "%s 从最后一个开始数 ARGV，看不出程序会传几个：这里传的可能不对"},
		{"draft-unused-argument", "%[2]s never looks at %[1]s, though at one behind it: see whether the numbers are right", "%[2]s 没有用到 %[1]s，却用到了它后面的参数：请检查下标有没有写错"},
		{"draft-unknown-argument", "what %s of %s is for could not be told: it is 1", "看不出 %s 在 %s 里的用途：取值为 1"},
	})
}
