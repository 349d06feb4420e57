package static

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
)

// Zip compresses a file, at a level of gzip.
func Zip(data []byte, level int) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, level)
	if err == nil {
		_, err = w.Write(data)
		err = errors.Join(err, w.Close())
	}
	return b.Bytes(), err
}

// Unzip is a file that was compressed.
func Unzip(data []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
