//go:build suite

// Package suite keeps the end-to-end suite that build.mjs compiles in the module graph when go.mod is tidied.
package suite

import _ "k8s.io/kubernetes/test/e2e"
