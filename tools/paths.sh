# Sourced by the scripts beside it: stands in the checkout's root and puts the tools that tools/setup placed first in PATH.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 2
export PATH="$root/.setup/bin:$PATH"
# The newest language tools are ours to choose: Go must not fetch another one behind our back.
export GOTOOLCHAIN=local
export CARGO_TARGET_DIR="$root/.setup/rust"
