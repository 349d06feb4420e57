//go:build !js

package fact

import _ "embed"

//go:embed words_servers.txt
var ofServers string

//go:embed words_attach.txt
var ofAttach string

func init() {
	read(ofServers)
	read(ofAttach)
}
