package port

import "slices"

// AddFault adds a command BOOM whose code fails, until the returned function is called.
func AddFault() (remove func()) {
	commands["boom"] = &command{"boom", unlisted, func(*Server, *conn, []string) { panic("it went off") }}
	return func() { delete(commands, "boom") }
}

// LimitScripts ends scripts after so many instructions.
func (s *Server) LimitScripts(instructions int64) {
	s.data.node.SetBudget(instructions, s.checkScript)
}

// Requests cuts bytes into commands, n bytes at a time, and tells whether they
// broke the protocol.
func Requests(bytes []byte, n int) (commands [][]string, broken error) {
	in := &requests{}
	for part := range slices.Chunk(bytes, n) {
		in.keep()
		in.feed(part)
		for {
			args, err := in.next()
			if err != nil {
				return commands, err
			}
			if args == nil {
				break
			}
			commands = append(commands, args)
		}
	}
	return commands, nil
}

// The limits, for tests that go beyond them.
const (
	MaxRequest = maxRequest
	MaxLine    = maxLine
)
