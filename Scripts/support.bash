# Functions that the scripts share. To be sourced after `set -euo pipefail`. If one of the script's arguments is --help or -h, the
# script prints its description, the comment at its beginning, and exits.

say() { printf '%s\n' "$*"; }
note() { printf '    %s\n' "$*"; }
fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# Exits with status 2 if there are more than MOST arguments, or an option. MOST is $# if any number is
# allowed. To be called after the script's own options were taken.
expect_arguments() { # MOST [ARGUMENT...]
  local name most=$1 argument wrong=''
  name=$(basename "$0")
  shift
  for argument in "$@"; do [[ $argument != -* ]] || wrong="unknown option '$argument'"; done
  (($# <= most)) || wrong=${wrong:-"at most $most arguments expected, found $#"}
  [[ $wrong ]] || return 0
  printf '%s: %s; "Scripts/%s --help" describes its arguments\n' "$name" "$wrong" "$name" >&2
  exit 2
}

describe() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$(dirname "${BASH_SOURCE[0]}")/$(basename "$0")"; }
# A script that passes --help on to a program sets `help_is_passed_on`.
if [[ ! ${help_is_passed_on-} ]]; then
  for argument in "$@"; do
    case $argument in
      --help | -h)
        describe
        exit 0
        ;;
    esac
  done
fi

# The options of the debug build of Scripts/test. A script that builds in the same folder with other options would build everything
# anew. SwiftPM finds tests with an index of the sources; indexing the modules of the system as well would take a tenth of the time.
small_index=(-Xswiftc -index-ignore-system-modules)
# Compiles up to a hundred files of a module in one process; the default is 25. That saves a tenth of the processor time. A whole module in
# one process takes longer again: for each source location the compiler searches all expansions of macros, and tests have thousands.
large_batches=(-Xswiftc -driver-batch-size-limit -Xswiftc 100)
debug_flags=(--scratch-path "$PWD/.build-test" -Xswiftc -warnings-as-errors "${small_index[@]}" "${large_batches[@]}")

# Stages print their names and how many seconds they took.
stage_name='' stage_start=0
stage() { # NAME: begins a stage
  stage_name=$1
  stage_start=$SECONDS
  printf '\n==> %s\n' "$stage_name"
}
stage_done() { printf '    done in %d s\n' $((SECONDS - stage_start)); }

# A newer toolchain is fine, but an older one does not know the language version.
require_swift() {
  local version
  command -v swift >/dev/null ||
    fail "Swift 6.2 or later is needed and there is no 'swift' in PATH; install it from https://www.swift.org/install"
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
  [[ $version =~ ^[0-9]+\.[0-9]+$ ]] ||
    fail "'swift --version' does not tell a version; Swift 6.2 or later is needed: https://www.swift.org/install"
  if ((${version%%.*} < 6 || (${version%%.*} == 6 && ${version##*.} < 2))); then
    fail "Swift 6.2 or later is needed, found $version; install a newer one from https://www.swift.org/install"
  fi
  note "Swift $version"
}

has_ncurses() {
  [[ -e /usr/include/ncurses.h || -e /usr/include/ncursesw/ncurses.h ]] || return 1
  compgen -G '/usr/lib*/libncursesw.so' >/dev/null || compgen -G '/usr/lib/*/libncursesw.so' >/dev/null
}

has_sqlite() {
  [[ -e /usr/include/sqlite3.h ]] || return 1
  compgen -G '/usr/lib*/libsqlite3.so' >/dev/null || compgen -G '/usr/lib/*/libsqlite3.so' >/dev/null
}

has_curl() {
  compgen -G '/usr/include/curl/curl.h' >/dev/null || compgen -G '/usr/include/*/curl/curl.h' >/dev/null || return 1
  compgen -G '/usr/lib*/libcurl.so' >/dev/null || compgen -G '/usr/lib/*/libcurl.so' >/dev/null
}

# Installs a Debian package if its test fails, as root or through sudo.
require_package() { # PACKAGE TEST...
  local package=$1 run=()
  shift
  if "$@"; then
    note "$package is there"
    return
  fi
  command -v apt-get >/dev/null ||
    fail "$package is missing and there is no apt-get; install it (or what your system calls it) and run this again"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "$package is missing; as root run: apt-get install $package"
    run=(sudo)
    [[ -t 0 ]] || run+=(-n)
  fi
  note "installing $package"
  "${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q "$package" >/dev/null 2>&1 ||
    { "${run[@]}" apt-get update -q >/dev/null 2>&1 && "${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q "$package" >/dev/null 2>&1; } ||
    fail "cannot install $package; as root run: apt-get install $package"
  "$@" || fail "$package was installed, but what it should bring is not found"
}

# Installs the libraries that rxtop is linked with, if they are missing.
require_libraries() {
  require_package libncurses-dev has_ncurses
  require_package libsqlite3-dev has_sqlite
  require_package libcurl4-openssl-dev has_curl
}

# Whether a process that this script has started is running.
runs() { kill -0 "$1" 2>/dev/null; }

# Ends a process that this script has started, and waits for it.
end_process() { # PID
  [[ -n ${1:-} ]] || return 0
  kill -TERM "$1" 2>/dev/null || true
  wait "$1" 2>/dev/null || true
}

# Waits until a command succeeds; returns false if the command has not succeeded within this number of seconds.
wait_until() { # SECONDS COMMAND...
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.1
  done
}

# Makes a virtual environment of Python with these packages, installed by pip, and sets `venv` to its folder. An existing
# environment that has the packages is used as it is.
readers_venv() { # PACKAGE==VERSION...
  venv=$PWD/.build-consumers
  local reader missing=()
  [[ -x $venv/bin/python ]] || python3 -m venv --clear "$venv"
  for reader in "$@"; do grep -qxF "$reader" "$venv/readers" 2>/dev/null || missing+=("$reader"); done
  if ((${#missing[@]})); then
    "$venv/bin/pip" install --quiet --disable-pip-version-check "${missing[@]}" ||
      fail "pip cannot install ${missing[*]}; is a package index reachable?"
    # There is one line for each package, with the version that is now installed.
    { for reader in "${missing[@]}"; do echo "$reader"; done; grep -vE "^($(printf '%s|' "${missing[@]%%==*}" | sed 's/|$//'))==" "$venv/readers" 2>/dev/null || true; } >"$venv/readers.new"
    mv "$venv/readers.new" "$venv/readers"
  fi
  note "$*"
}
