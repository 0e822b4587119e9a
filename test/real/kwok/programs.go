//go:build programs

// Package programs keeps the main package that build.mjs compiles in the module graph when go.mod is tidied.
package programs

import (
	_ "sigs.k8s.io/kwok/cmd/kwok"
)
