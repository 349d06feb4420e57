package keyspace

import (
	"math/big"

	"lockstep/engine/reply"
)

// addFloats adds an increment to the text of a number, as Redis prints it.
func addFloats(text, increment string, notFloat reply.Reply) (sum string, failed reply.Reply) {
	a, ok := parseLongDouble(text)
	if !ok {
		return "", notFloat
	}
	b, ok := parseLongDouble(increment)
	if !ok {
		return "", errNotFloat
	}
	if a.IsInf() || b.IsInf() {
		return "", errIncrInfinite
	}
	total := new(big.Float).SetPrec(longDoubleBits).Add(a, b)
	if total.MantExp(nil) > maxLongDouble {
		return "", errIncrInfinite
	}
	return formatLongDouble(total), reply.Reply{}
}

func incrbyfloat(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], stringType)
	if !ok {
		return errWrongType
	}
	text := "0"
	if e != nil {
		text = e.text
	}
	sum, failed := addFloats(text, args[2], errNotFloat)
	if failed.IsError() {
		return failed
	}
	k.editOrCreate(args[1], e, stringType).setText(sum)
	return reply.OfBulk(sum)
}

func hincrbyfloat(k *Keyspace, args []string) reply.Reply {
	by, isFloat := parseLongDouble(args[3])
	switch {
	case !isFloat:
		return errNotFloat
	case by.IsInf():
		return reply.OfError("ERR value is NaN or Infinity")
	}
	e, ok := k.findAs(args[1], hashType)
	if !ok {
		return errWrongType
	}
	at, text := e.find(args[2]), "0"
	if at >= 0 {
		text = e.hash.pairs[at].value
	}
	sum, failed := addFloats(text, args[3], reply.OfError("ERR hash value is not a float"))
	if failed.IsError() {
		return failed
	}
	k.editOrCreate(args[1], e, hashType).hash.set(args[2], sum)
	return reply.OfBulk(sum)
}
