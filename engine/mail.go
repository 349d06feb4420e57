package engine

// copies is a message that has come to a process, once for each receiver that may take it: for one, or for all
// that wait now and have said that it is for all of them. What a node tells without a subscription is for all that wait:
// each has asked for it.
func (w *World) copies(d Delivery) []Delivery {
	mail := []Delivery{d}
	waits := false
	_, subscribes := w.server(d.Node).node.(Channels)
	for _, t := range w.threads {
		r, receives := t.next.(Receive)
		isForAll := !subscribes || r.ForAll != "" && r.ForAll == d.Payload
		if !receives || !isForAll || r.Node != d.Node || r.Channel != d.Channel ||
			t.process != d.Process || !w.goesOn(t) {
			continue
		}
		if waits {
			d.Copy = true
			mail = append(mail, d)
		}
		waits = true
	}
	return mail
}
