package redisexec

import (
	"strings"

	"lockstep/engine/reply"
)

// refusal is what a server's error reply means when it is about the server
// rather than about the command.
type refusal struct {
	code    string
	problem Problem
	what    string
	fix     string
	zh      string // both
}

var refusals = []refusal{
	{
		"NOAUTH", NeedsAuth, "the server wants a password", "put it into the URL: redis://:password@host:6379",
		"服务器要求密码：请写进 URL，例如 redis://:password@host:6379",
	},
	{
		"WRONGPASS", NeedsAuth, "the server does not take this user or password", "correct the URL: redis://user:password@host:6379",
		"服务器不接受这个用户名或密码：请修改 URL，例如 redis://user:password@host:6379",
	},
	{
		"MOVED", IsCluster, "the server is part of a cluster", "give the URL of a single Redis, for example redis://localhost:6379",
		"服务器是集群的一部分：请使用单个 Redis 的 URL，例如 redis://localhost:6379",
	},
	{
		"CLUSTERDOWN", IsCluster, "the server is part of a cluster", "give the URL of a single Redis, for example redis://localhost:6379",
		"服务器是集群的一部分：请使用单个 Redis 的 URL，例如 redis://localhost:6379",
	},
	{
		"CROSSSLOT", IsCluster, "the server is part of a cluster", "give the URL of a single Redis, for example redis://localhost:6379",
		"服务器是集群的一部分：请使用单个 Redis 的 URL，例如 redis://localhost:6379",
	},
	{
		"LOADING", IsLoading, "the server is still loading its data", "try again when it is ready",
		"服务器还在加载数据：请稍后再试",
	},
	{
		"READONLY", IsReplica, "the server is a read-only replica", "give the URL of its master",
		"服务器是只读副本：请使用主节点的 URL",
	},
	{
		"MASTERDOWN", IsReplica, "the server is a replica that lost its master", "give the URL of a master",
		"服务器是与主节点断开的副本：请使用主节点的 URL",
	},
	{
		"OOM", NoMemory, "the server has no memory left for writes (maxmemory)", "free some of it, raise maxmemory, or use another server",
		"服务器的内存已用完，无法写入（maxmemory）：请释放内存、调大 maxmemory，或换一个服务器",
	},
	{
		"NOPERM", NoPermit, "this user may not do what a lesson needs", "allow it the keys and channels lockstep:* and the commands @all -@dangerous +info +keys +restore (and +acl|setuser +acl|deluser +acl|users for what visitors edit), or use another user",
		"这个用户没有课程所需的权限：请授予它键和频道 lockstep:* 以及命令 @all -@dangerous +info +keys +restore（访客要修改脚本时，还需要 +acl|setuser +acl|deluser +acl|users），或换一个用户",
	},
	{
		"BUSY", Stuck, "another script keeps the server busy", "end it with SCRIPT KILL, or try again when it is over",
		"服务器正忙于执行另一个脚本：请用 SCRIPT KILL 终止它，或等它结束后再试",
	},
	{
		"MISCONF", Refused, "the server takes no writes because it cannot save them", "repair its persistence (its log says what is wrong) or use another server",
		"服务器无法把数据写入磁盘，因此拒绝写入：请修复它的持久化（原因见它的日志），或换一个服务器",
	},
	{
		"NOREPLICAS", Refused, "the server takes no writes without its replicas", "use another server",
		"服务器的副本不够，因此拒绝写入：请换一个服务器",
	},
	{
		"DENIED", Refused, "the server is in protected mode", "set a password on it, or connect from its own machine",
		"服务器处于保护模式：请给它设置密码，或从它所在的机器连接",
	},
	{
		"ERR max number of clients reached", Refused, "the server takes no more clients", "raise its maxclients or close some",
		"服务器的连接数已满：请调大 maxclients，或关闭一些连接",
	},
	{
		"ERR invalid password", NeedsAuth, "the server does not take this password", "correct the URL: redis://:password@host:6379",
		"服务器不接受这个密码：请修改 URL，例如 redis://:password@host:6379",
	},
	{
		"ERR AUTH", NeedsAuth, "the server has no password, but the URL has one", "leave it out of the URL",
		"服务器没有设置密码，但 URL 里有：请从 URL 中去掉",
	},
}

// refused finds what a server's error text says about the server itself; nil
// when it says something about the command.
func (s *Server) refused(text string) *Error {
	for _, r := range refusals {
		if text == r.code || strings.HasPrefix(text, r.code+" ") {
			what, zh := r.what, r.zh
			if text != r.code {
				what += " (" + text + ")"
				zh += "（服务器的原话：" + text + "）"
			}
			return s.problem(r.problem, what, r.fix, nil).inChinese(zh)
		}
	}
	// Redis 7.0 says the one, Valkey and newer Redis the other.
	if strings.Contains(text, "The user executing the script can't") || strings.Contains(text, "ACL failure in script") {
		return s.problem(NoPermit, "this user may not do what the script does ("+text+")",
			"allow it, or use another user", nil).
			inChinese("这个用户没有脚本所需的权限（" + text + "）：请授权，或换一个用户")
	}
	return nil
}

// refusedWithin is refused for a reply from within a transaction, where a server says
// no more than this about itself: a script may answer with any other word of its own.
func (s *Server) refusedWithin(r reply.Reply) *Error {
	e := s.refused(r.Str)
	if !r.IsError() || e == nil {
		return nil
	}
	switch code, _, _ := strings.Cut(r.Str, " "); code {
	case "OOM", "READONLY", "MISCONF", "NOREPLICAS", "MASTERDOWN", "NOPERM", "ERR":
		return e
	}
	return nil
}
