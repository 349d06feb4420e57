// Package netip is what net/url names of net/netip. No address in a lesson's page
// has a number for its host.
package netip

import "errors"

// Addr is an address that nobody has.
type Addr struct{}

// ParseAddr fails.
func ParseAddr(string) (Addr, error) {
	return Addr{}, errors.New("addresses in numbers are not part of the build for browsers")
}

// Is4 is false.
func (Addr) Is4() bool { return false }
