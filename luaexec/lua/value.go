package lua

// Value is any value of Lua: nil, a bool, a float64, a string, a *Table, a
// *Function, a *State, which is a coroutine, or a *Userdata.
type Value = any

// Userdata is a value of Go that code can only pass on.
type Userdata struct{ Value any }

// TypeName is what type() answers, and what messages call a value.
func TypeName(v Value) string {
	switch v.(type) {
	case nil:
		return "nil"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case *Table:
		return "table"
	case *Function:
		return "function"
	case *State:
		return "thread"
	}
	return "userdata"
}

// Truth is what a condition makes of a value.
func Truth(v Value) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	}
	return true
}

// ready are the numbers that most values are, so that they need no memory of
// their own.
var ready = func() (values [1024]Value) {
	for i := range values {
		values[i] = float64(i)
	}
	return values
}()

// Number is a number as a value.
func Number(f float64) Value {
	if i := int(f); uint(i) < uint(len(ready)) && float64(i) == f && (i != 0 || !negativeZero(f)) {
		return ready[i]
	}
	return f
}

// Int is a whole number as a value.
func Int(n int) Value {
	if uint(n) < uint(len(ready)) {
		return ready[n]
	}
	return float64(n)
}

// ToString is a string, or a number written as one.
func ToString(v Value) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case float64:
		return FormatNumber(v), true
	}
	return "", false
}

// ToNumber is a number, or a string that reads as one.
func ToNumber(v Value) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case string:
		return ParseNumber(v)
	}
	return 0, false
}
