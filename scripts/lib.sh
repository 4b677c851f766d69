# Shared by the set-up scripts; sourced, not run.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
: "${SETUP_LOG:=$root/setup.log}"

say() { printf 'setup: %s\n' "$*" >&2; }

# logged COMMAND…: what it prints goes into the log only, with what it was that printed it.
logged() {
  printf '\n$ %s\n' "$*" >>"$SETUP_LOG"
  "$@" >>"$SETUP_LOG" 2>&1 </dev/null
}

# must COMMAND…: the same; where it fails, the log's place and end are shown.
must() {
  local status=0
  logged "$@" || status=$?
  if [ "$status" -ne 0 ]; then
    say "this failed: $*; the whole of it is in $SETUP_LOG, which ends:"
    tail -n 5 "$SETUP_LOG" >&2
  fi
  return "$status"
}

# can_install: whether this machine's own packages may be installed here.
can_install() {
  [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1 && grep -qxE 'ID="?debian"?' /etc/os-release 2>/dev/null
}

# apt_install PACKAGE…: installs what is missing, one call at a time; fails, after saying what to do, where that is not allowed.
apt_install() {
  { flock 7; install_missing "$@"; } 7<"${SETUP_STATE:-$root}"
}

install_missing() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if ! can_install; then
    say "not installing (${missing[*]}): this needs root on Debian; there it is: apt-get install --no-install-recommends ${missing[*]}"
    return 1
  fi
  apt_update
  DEBIAN_FRONTEND=noninteractive must apt-get install -y -q --no-install-recommends "${missing[@]}" 7<&- # no service that it starts keeps the lock
}

# apt_update: once for each run of the set-up; a third-party source that fails must not stop it.
apt_update() {
  if [ -n "${SETUP_STATE:-}" ] && [ -e "$SETUP_STATE/updated" ]; then return 0; fi
  logged apt-get update -q || say "some package lists could not be read ($SETUP_LOG says which); going on with the others"
  if [ -n "${SETUP_STATE:-}" ]; then : >"$SETUP_STATE/updated"; fi
}
