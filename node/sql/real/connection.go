package real

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/go-sql-driver/mysql"

	"lockstep/engine/reply"
	"lockstep/node/sql"
)

// connection is one to a server, with at most one statement at a time.
type connection struct {
	driver driver.Conn
	socket net.Conn
	thread int64 // as the server calls it
}

// dialLimit is how long a server may take to greet, in real time.
const dialLimit = 5 * time.Second

// answerLimit is how long a server may take to answer what waits for no lock, in real time.
const answerLimit = 10 * time.Second

// connect opens a connection to a database; empty: to none. A statement of it may take so
// long as limit says; 0: as long as it likes.
func connect(ctx context.Context, socket, database string, limit time.Duration) (*connection, error) {
	ctx, cancel := context.WithTimeout(ctx, dialLimit)
	defer cancel()
	c := &connection{}
	cfg := mysql.NewConfig()
	cfg.User, cfg.Net, cfg.Addr, cfg.DBName = "root", "unix", socket, database
	cfg.ReadTimeout = limit
	cfg.Logger = &mysql.NopLogger{}
	cfg.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		var d net.Dialer
		var err error
		c.socket, err = d.DialContext(ctx, network, address)
		return c.socket, err
	}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, err
	}
	if err := c.greet(ctx, connector); err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, c.hangUp)()
	id, err := c.text("SELECT CONNECTION_ID()")
	if err == nil {
		c.thread, err = strconv.ParseInt(id, 10, 64)
	}
	if err != nil {
		c.hangUp()
		return nil, err
	}
	return c, nil
}

func (c *connection) greet(ctx context.Context, connector driver.Connector) (err error) {
	defer c.caught(&err)
	c.driver, err = connector.Connect(ctx)
	return err
}

// caught makes an error of a panic of the driver, which believes the lengths in a server's
// answer. What comes after such an answer cannot be read either.
func (c *connection) caught(err *error) {
	if p := recover(); p != nil {
		c.hangUp()
		*err = fmt.Errorf("%w: %v", mysql.ErrMalformPkt, p)
	}
}

// close ends the connection as a client does that has nothing more to say.
func (c *connection) close() { _ = c.driver.Close() }

// hangUp cuts the line, also while a statement runs.
func (c *connection) hangUp() { _ = c.socket.Close() }

// perform does one statement. An error is that of the line: what the server refuses is a reply.
func (c *connection) perform(statement string) (reply.Reply, error) {
	r, err := c.answer(statement)
	if refused, ok := errors.AsType[*mysql.MySQLError](err); ok {
		e := &sql.Error{Number: int(refused.Number), State: string(refused.SQLState[:]), Text: refused.Message}
		return reply.OfError(e.Error()), nil
	}
	return r, err
}

// answer is what the node beside would say: rows, how many were changed, or that all is well.
func (c *connection) answer(statement string) (reply.Reply, error) {
	verb := strings.TrimLeft(statement, " \t\r\n")
	if end := strings.IndexFunc(verb, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		verb = verb[:end]
	}
	switch strings.ToUpper(verb) {
	case "SELECT":
		_, rows, err := c.rows(statement)
		return reply.OfArray(rows...), err
	case "INSERT", "UPDATE", "DELETE":
		done, err := c.exec(statement)
		if err != nil {
			return reply.Reply{}, err
		}
		changed, err := done.RowsAffected()
		return reply.OfInt(changed), err
	}
	_, err := c.exec(statement)
	return reply.OK, err
}

func (c *connection) exec(statement string) (done driver.Result, err error) {
	defer c.caught(&err)
	return c.driver.(driver.ExecerContext).ExecContext(context.Background(), statement, nil)
}

// rows is what a SELECT finds, as names of columns and values in turn.
func (c *connection) rows(statement string) (columns []string, all []reply.Reply, err error) {
	defer c.caught(&err)
	rows, err := c.driver.(driver.QueryerContext).QueryContext(context.Background(), statement, nil)
	if err != nil {
		return nil, nil, err
	}
	columns = rows.Columns()
	values := make([]driver.Value, len(columns))
	for {
		if err := rows.Next(values); err != nil {
			if errors.Is(err, io.EOF) {
				err = rows.Close()
			} else {
				_ = rows.Close()
			}
			return columns, all, err
		}
		var row []reply.Reply
		for i, v := range values {
			row = append(row, reply.OfStatus(columns[i]), value(v))
		}
		all = append(all, reply.OfMap(row...))
	}
}

func value(v driver.Value) reply.Reply {
	switch v := v.(type) {
	case nil:
		return reply.Reply{}
	case int64:
		return reply.OfInt(v)
	case []byte:
		return reply.OfBulk(string(v))
	}
	return reply.OfBulk(fmt.Sprint(v))
}

// text is the last value of the last row that a statement finds.
func (c *connection) text(statement string) (string, error) {
	_, rows, err := c.rows(statement)
	if err != nil || len(rows) == 0 {
		return "", errors.Join(err, io.ErrUnexpectedEOF)
	}
	elems := rows[len(rows)-1].Elems
	if v := elems[len(elems)-1]; v.Kind == reply.Bulk {
		return v.Str, nil
	}
	return strconv.FormatInt(elems[len(elems)-1].Int, 10), nil
}
