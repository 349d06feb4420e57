//go:build !js

package fact

// What is wrong with a real server, and what to do. A browser has none.
func init() {
	add([][1 + languages]string{
		// Why a lesson is not saved.
		{"not-saved", "Nothing was saved: %s.", "没有保存：%s。"},
		{"other-files", "The lesson has other files now: export yours, and load the page again.", "课程的文件列表已经变化：请先导出你的内容，再重新加载页面。"},
		{
			"changed-on-disk",
			"Nothing was saved: the files have changed on disk since you opened them. Export your text, then Reset shows theirs.",
			"没有保存：打开之后，磁盘上的文件已被修改。请先导出你的内容，再点“还原”查看磁盘上的版本。",
		},
		{"has-mistakes", "Nothing was saved: a lesson is saved when it has no mistakes. Your text is still here.", "没有保存：课程要在没有错误之后才能保存。你的内容还在这里。"},
		{
			"another-file",
			"Nothing was saved: there is another %s already. Give yours another name, or load the page again to see it.",
			"没有保存：已有另一个 %s。请换一个文件名，或重新加载页面查看它。",
		},
		{"unused-file", "Nothing was saved: the lesson does not use %s. Name it in lesson.yaml, or remove it.", "没有保存：课程没有用到 %s。请在 lesson.yaml 中引用它，或移除这个文件。"},
		{"lesson-unwritten", "Nothing was saved: %s cannot be written: %v. Your text is still here, and can be exported.", "没有保存：无法写入 %s：%v。你的内容还在这里，可以导出。"},
		{
			"file-unwritten",
			"Nothing was saved, and all files are as they were: %s cannot be written: %v. Your text is still here, and can be exported.",
			"没有保存，磁盘上的文件保持原样：无法写入 %s：%v。你的内容还在这里，可以导出。",
		},
		{"not-put-back", "Not all files were saved, and %s could not be put back: %v. Export your text.", "只保存了部分文件，%s 无法恢复原样：%v。请先导出你的内容。"},
		{
			"no-lesson-name",
			"%q cannot be the name of a lesson: write small letters, digits and -, as in fencing-token",
			"%q 不能作为课程名：请用小写字母、数字和 -，例如 fencing-token",
		},
		{"blank-name", "the lesson needs a name of its own: %s is every new one's", "请给课程另起一个名称：%s 是所有新课程的初始名称"},
		{"built-in-name", "the playground comes with a lesson %q: choose another name", "%q 是自带课程的名称：请换一个名称"},
		{"name-taken", "%s is there already: choose another name", "%s 已存在：请换一个名称"},
		{"folder-unreadable", "the folder %s cannot be read: %v", "无法读取目录 %s：%v"},

		{"at-server", "%s: %s", "%s：%s"},
		{
			"no-password",
			"the server wants a password (%s): put it into the URL: redis://:password@host:6379",
			"服务器要求密码（%s）：请写进 URL，例如 redis://:password@host:6379",
		},
		{
			"wrong-user",
			"the server does not take this user or password (%s): correct the URL: redis://user:password@host:6379",
			"服务器不接受这个用户名或密码（%s）：请修改 URL，例如 redis://user:password@host:6379",
		},
		{
			"wrong-password",
			"the server does not take this password (%s): correct the URL: redis://:password@host:6379",
			"服务器不接受这个密码（%s）：请修改 URL，例如 redis://:password@host:6379",
		},
		{"needless-password", "the server has no password, but the URL has one (%s): leave it out of the URL", "服务器没有设置密码，但 URL 里有（%s）：请从 URL 中去掉"},
		{
			"cluster",
			"the server is part of a cluster (%s): give the URL of a single Redis, for example redis://localhost:6379",
			"服务器是集群的一部分（%s）：请使用单个 Redis 的 URL，例如 redis://localhost:6379",
		},
		{"loading", "the server is still loading its data (%s): try again when it is ready", "服务器还在加载数据（%s）：请稍后再试"},
		{"replica", "the server is a read-only replica (%s): give the URL of its master", "服务器是只读副本（%s）：请使用主节点的 URL"},
		{"lost-master", "the server is a replica that lost its master (%s): give the URL of a master", "服务器是与主节点断开的副本（%s）：请使用主节点的 URL"},
		{
			"maxmemory",
			"the server has no memory left for writes (%s): free some of it, raise maxmemory, or use another server",
			"服务器的内存已用完，无法写入（%s）：请释放内存、调大 maxmemory，或换一个服务器",
		},
		{
			"no-permission",
			"this user may not do what a lesson needs (%s): allow it the keys and channels lockstep:* and the commands @all -@dangerous +info +keys +restore (and +acl|setuser +acl|deluser +acl|users for what visitors edit), or use another user",
			"这个用户没有课程所需的权限（%s）：请授予它键和频道 lockstep:* 以及命令 @all -@dangerous +info +keys +restore（访客要修改脚本时，还需要 +acl|setuser +acl|deluser +acl|users），或换一个用户",
		},
		{"script-not-permitted", "this user may not do what the script does (%s): allow it, or use another user", "这个用户没有脚本所需的权限（%s）：请授权，或换一个用户"},
		{
			"busy",
			"another script keeps the server busy (%s): end it with SCRIPT KILL, or try again when it is over",
			"服务器正忙于执行另一个脚本（%s）：请用 SCRIPT KILL 终止它，或等它结束后再试",
		},
		{
			"cannot-save",
			"the server takes no writes because it cannot save them (%s): repair its persistence (its log says what is wrong) or use another server",
			"服务器无法把数据写入磁盘，因此拒绝写入（%s）：请修复它的持久化（原因见它的日志），或换一个服务器",
		},
		{"no-replicas", "the server takes no writes without its replicas (%s): use another server", "服务器的副本不够，因此拒绝写入（%s）：请换一个服务器"},
		{
			"protected-mode",
			"the server is in protected mode (%s): set a password on it, or connect from its own machine",
			"服务器处于保护模式（%s）：请给它设置密码，或从它所在的机器连接",
		},
		{"maxclients", "the server takes no more clients (%s): raise its maxclients or close some", "服务器的连接数已满（%s）：请调大 maxclients，或关闭一些连接"},
		{"server-answered", "the server answered %q: use Redis 7.0 or newer, or Valkey", "服务器的回复是 %q：请使用 Redis 7.0 及以上版本或 Valkey"},
		{
			"name-in-value",
			"the key %s holds the name of a key, which is another one on each node of a shared server, so it cannot be copied to a replica: use the embedded engine or a private server",
			"键 %s 的值里含有键名，而在共享服务器上同一个键在各节点上的实际名称不同，因此无法复制到副本：请使用内置引擎或私有服务器",
		},
		{"step-canceled", "the step was called off (%s): reset and replay", "这一步已被取消（%s）：请重置后重试"},
		{
			"no-answer",
			"the server does not answer (%s): look whether it hangs, or whether something between drops the packets",
			"服务器没有响应（%s）：请检查它是否卡住，或者中间的网络是否丢包",
		},
		{"not-connected", "the connection failed (%s): look whether the server runs and the address is right", "连接失败（%s）：请检查服务器是否在运行、地址是否正确"},
		{
			"not-a-url",
			"this is not the URL of a Redis server: write it as redis://[user:password@]host:6379[/database] or unix:///path/to/socket",
			"这不是 Redis 服务器的 URL：请写成 redis://[user:password@]host:6379[/database] 或 unix:///path/to/socket",
		},
		{"no-version", "it does not say which Redis it is: give the URL of a Redis or Valkey server", "服务器没有说明自己是哪个版本的 Redis：请使用 Redis 或 Valkey 服务器的 URL"},
		{"too-old", "%s is too old: use Redis 7.0 or newer, or Valkey", "%s 版本过低：请使用 Redis 7.0 及以上版本或 Valkey"},
		{
			"no-account",
			"the sessions here have no user of their own, for which the URL needs a user that may ACL SETUSER and ACL DELUSER: %s",
			"这里的会话没有自己的 ACL 用户，需要 URL 中的用户有权执行 ACL SETUSER 和 ACL DELUSER：%s",
		},
		{
			"shared-interpreter",
			"on %s a script can change what the scripts of everybody else do: use a version with the fix for CVE-2025-46818, such as Valkey 8.0.6",
			"%s 上的脚本可以改变其他所有人的脚本的行为：请使用修复了 CVE-2025-46818 的版本，例如 Valkey 8.0.6",
		},
		{
			"no-server-program",
			"no redis-server or valkey-server is on PATH: install one (Debian: apt-get install redis-server), or give the URL of a server",
			"PATH 中没有 redis-server 或 valkey-server：请安装一个（Debian：apt-get install redis-server），或使用一个服务器的 URL",
		},
		{
			"no-program",
			"there is no %s here: install %s (Debian 12: apt-get install %s)",
			"这台机器上没有 %s：请安装 %s（Debian 12：apt-get install %s）",
		},
		{
			"unsupported-version",
			"this is %s, which does otherwise: install %s (Debian 12: apt-get install %s)",
			"这是 %s，它的行为不同：请安装 %s（Debian 12：apt-get install %s）",
		},
		{"no-socket-folder", "there is no folder for its socket (%s): make TMPDIR writable", "无法为套接字创建目录（%s）：请让 TMPDIR 可写"},
		{
			"not-started",
			"the server did not start (%s): use Redis 7.0 or newer, or Valkey, or give the URL of a server",
			"服务器没有启动（%s）：请使用 Redis 7.0 及以上版本或 Valkey，或使用一个服务器的 URL",
		},
		{
			"own-not-started",
			"the server did not start (%s): look whether the disk is full and the program runs, or use the embedded engine",
			"服务器没有启动（%s）：请检查磁盘是否已满、程序能否运行，或改用内置引擎",
		},
		{"servers-taken", "all real servers are taken (%d of %d in use): try again later, or use the embedded engine", "所有真实服务器都已占用（%d/%d）：请稍后再试，或改用内置引擎"},
		{"servers-stopped", "the servers were stopped: start the playground again", "服务器已经停止：请重新启动 playground"},
		{"server-ended", "%s has ended (%s): go on: the next step starts another", "%s 已经退出（%s）：请继续，下一步会启动新的服务器"},
		{
			"server-died",
			"%s died in this step (%s): mend the script, which this version cannot run; the next step starts the server again",
			"%s 在这一步崩溃了（%s）：这个版本无法执行该脚本，请修改；下一步会重新启动服务器",
		},
		{
			"out-of-memory",
			"the step needed more than the %d MB that a server may take, and %s ended: mend the script; the next step starts the server again",
			"这一步需要的内存超过了服务器可用的 %d MB，%s 已退出：请修改脚本，下一步会重新启动服务器",
		},
		{
			"server-differs",
			"%s did this: %s; the embedded server does this: %s: play these steps on the embedded engine",
			"%s 的结果是 %s，而内置服务器的结果是 %s：请在内置引擎上走这几步",
		},
		{"server-memory", "%s has no memory left, and ended: go on: the next step starts another", "%s 的内存已用尽并退出：请继续，下一步会启动新的服务器"},
		{
			"too-much-data",
			"the step answered, published or left in the keys more than is read of one step (%d MB or %d values): mend the script so that it makes less",
			"这一步的回复、消息或留下的数据太多，超过了单步读取的上限（%d MB 或 %d 个值）：请修改脚本，减少数据量",
		},
		{
			"garbled",
			"what the server sent cannot be read (%s): reset and replay; if it happens again, look what lies between the playground and the server",
			"无法解析服务器发来的内容（%s）：请重置后重试；如果再次出现，请检查 playground 与服务器之间的网络设备或代理",
		},
		{
			"keys-gone",
			"%d of the session's keys are gone (the server was restarted, somebody deleted them, or the session was idle for an hour): reset and replay",
			"会话有 %d 个键不见了（服务器重启过、有人删除了它们，或会话闲置超过一小时）：请重置后重试",
		},
		{"keys-lost", "keys were lost on the server: reset and replay", "服务器上有键丢失：请重置后重试"},
		{"node-closed", "the node is closed: take a new one", "节点已关闭：请使用新的节点"},
		{
			"not-in-keys",
			"the script used a key or a channel that is not named in KEYS nor made from one, and on a shared server that is somebody else's: name it in KEYS, or run the lesson on a server of its own (without --redis-url)",
			"脚本用到了一个既不在 KEYS 中、也不是由 KEYS 拼出的键或频道，而在共用的服务器上它可能属于别人：请把它写进 KEYS，或让课程使用自己的服务器（不带 --redis-url）",
		},
		{
			"name-in-script",
			"%s in the script names %q by itself, and on a shared server that name is everybody's: pass it in KEYS, or run the lesson on a server of its own (without --redis-url)",
			"脚本里的 %s 直接写出了名字 %q，而在共用的服务器上这个名字属于所有人：请通过 KEYS 传入，或让课程使用自己的服务器（不带 --redis-url）",
		},
		{
			"letters-of-a-name",
			"line %d of the script looks at the letters of a name from KEYS (%s), and on a shared server names are longer by the session's prefix: pass what is meant in ARGV, or run the lesson on a server of its own (without --redis-url)",
			"脚本第 %d 行用到了 KEYS 中名字本身的字符（%s），而在共用的服务器上名字前面多了会话的前缀：请通过 ARGV 传入需要的内容，或让课程使用自己的服务器（不带 --redis-url）",
		},
		{
			"servers-log",
			"line %d of the script can write to the server's log, and on a shared server that is read by others: return what is to be seen, or run the lesson on a server of its own (without --redis-url)",
			"脚本第 %d 行可以写入服务器的日志，而共用的服务器的日志也供别人查看：请把要看的内容作为返回值，或让课程使用自己的服务器（不带 --redis-url）",
		},
		{
			"all-keys",
			"%s can meet every key or channel of the server, and on a shared one those of others are among them: name the keys that are meant, or run the lesson on a server of its own (without --redis-url)",
			"%s 可能触及服务器上所有的键或频道，而共用的服务器上也有别人的：请写明具体的键，或让课程使用自己的服务器（不带 --redis-url）",
		},
		{
			"clock-moved",
			"the clock of %s goes on while a step runs, and this one took %s at best, so that the TTLs in it cannot be told exactly: replay; if it happens again, let the script do less, or use the embedded engine, Redis 7.2 or newer, or Valkey",
			"执行一步的过程中 %s 的时钟仍在走，而这一步最快也用了 %s，其中的 TTL 无法准确显示：请重试；如果再次出现，请让脚本少做一些，或改用内置引擎、Redis 7.2 及以上版本或 Valkey",
		},
		{"server-silent", "a step ran for more than %s, and meanwhile the server answers nothing", "这一步运行超过了 %s，期间服务器没有响应"},
		{"unkillable", "a script ran for more than %s, and as it has written already it cannot be killed", "脚本运行超过了 %s，而且已经写过数据，无法用 SCRIPT KILL 终止"},
		{"kill-ignored", "a script was killed but does not end", "脚本已被终止，但没有结束"},
		{
			"server-stopped",
			"%s; the server was stopped: mend the script if it takes that long; the next step starts the server again",
			"%s，服务器已被停止：如果是脚本耗时太长，请修改；下一步会重新启动服务器",
		},
		{
			"server-blocked",
			"%s: the server serves nobody until the script ends: its owner may end it with SHUTDOWN NOSAVE",
			"%s：在脚本结束之前服务器无法响应任何人，它的管理员可以用 SHUTDOWN NOSAVE 结束它",
		},

		// Why a page has no engine of its own, or a site of files no other.
		{"no-browser-engine", "This playground was built without the engine for browsers: run make build.", "这个程序构建时没有包含浏览器端引擎：请运行 make build。"},
		{
			"files-only",
			"This site is files only, so everything runs in your browser. For a server of your own, run: playground serve",
			"本站只有静态文件，一切都在你的浏览器中运行。要使用自己的服务器，请运行：playground serve",
		},
		{
			"browser-no-redis",
			"A browser cannot reach a Redis. To play the lessons on a real one, run: playground serve --redis-url redis://127.0.0.1:6379",
			"浏览器无法直接连接 Redis。要在真实 Redis 上运行课程，请运行：playground serve --redis-url redis://127.0.0.1:6379",
		},
		{
			"browser-no-server",
			"A browser cannot start a %s. To play the lessons on a real one, run: playground serve",
			"浏览器无法启动 %[1]s。要在真实 %[1]s 上运行课程，请运行：playground serve",
		},

		// What a server of pages answers, besides pages.
		{"no-such-page", "There is no such page.", "没有这个页面。"},
		{
			"something-broke",
			"You have hit a bug in the playground. The server is still running: reload the page, or reset the lesson.",
			"这里出现了程序错误。服务器仍在运行：请重新加载页面，或重置课程。",
		},
		{
			"server-full",
			"All places on the server are taken: too many pages are open. Close one, or try again in a minute.",
			"服务器上的会话已满：打开的页面太多。请关闭一个，或稍后再试。",
		},
		{"seat-taken", "This page was idle for a while, so its place on the server was given to somebody else.", "这里有一段时间没有操作，服务器上的会话已让给别人。"},
		{"class-none", "There is no class with this code. A class ends a day after the last thing that happened in it: ask your teacher for a new code.", "没有使用这个代码的课堂。课堂在最后一次活动的一天后结束：请向老师要新的代码。"},
		{"class-closed", "The teacher has ended this class.", "老师已经结束了这个课堂。"},
		{"class-bad-name", "Write a name with letters or digits, of %s characters at most.", "请输入包含文字或数字的名字，最多 %s 个字符。"},
		{"class-full", "This class is full. Ask your teacher to open another one.", "这个课堂已满。请让老师再开一个。"},
		{"class-network-full", "Very many have joined this class from your network. The other places are for learners elsewhere.", "你所在的网络加入这个课堂的人数已达上限，其余名额留给其他网络的学生。"},
		{"class-shut", "The teacher lets nobody new into this class.", "老师已停止让新成员加入这个课堂。"},
		{"class-removed", "The teacher has taken you out of this class. You can go on alone.", "老师已把你移出这个课堂，你可以自己继续。"},
		{"class-slower", "Your page sends too much to the class: it goes on in a moment.", "你的页面向课堂发送得太频繁：稍后会继续。"},
		{"class-network-slower", "Very much has been sent to classes from your network today. Your lesson goes on; the page tries again.", "今天从你所在网络发往课堂的内容太多了。你的课程可以继续，页面会自动重试。"},
		{"class-opened-often", "Many classes were opened from your network just now: open the next one in a few seconds.", "你所在的网络刚才开了很多课堂：请过几秒再开。"},
		{"class-guessed-often", "Many codes that no class has were tried from your network: try again in a minute.", "你所在的网络尝试了很多不存在的代码：请过一分钟再试。"},
		{"class-not-allowed", "The class does not take this from you. Join it again by its code.", "课堂不接受你的这个操作。请用代码重新加入。"},
		{"class-store", "What happens in a class cannot be stored now. Lessons go on; try again in a moment if the page does not.", "课堂的内容暂时无法保存。课程可以继续；如果页面没有自动重试，请稍后再试。"},
		{
			"other-host",
			"This playground does not serve the host name %q. Open it at its own address; its operator can add a name: playground serve --host NAME",
			"这个服务不接受域名 %q。请使用它自己的地址打开；管理员可以添加域名：playground serve --host NAME",
		},
	})
}
