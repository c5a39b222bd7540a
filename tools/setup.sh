# Sourced by tools/run, tools/test and .ci/run: packages and the build folder.
# Needs $root. All output goes to stderr: stdout belongs to etlkit.

build=${ETLKIT_BUILD:-$root/build}

# What proves it, and the Debian package that brings it.
build_needs='command:cc=gcc file:/usr/include/stdio.h=libc6-dev command:meson=meson
command:ninja=ninja-build command:pkg-config=pkg-config library:sqlite3=libsqlite3-dev
library:libzstd=libzstd-dev library:expat=libexpat1-dev library:libarchive=libarchive-dev
library:nettle=nettle-dev library:libxxhash=libxxhash-dev'
test_needs='library:criterion=libcriterion-dev command:sqlite3=sqlite3 command:zstd=zstd
command:python3=python3 command:c++=g++'

say() {
    echo "etlkit: $*" >&2
}

is_there() {
    case $1 in
    command:*) command -v "${1#*:}" >/dev/null 2>&1 ;;
    library:*) pkg-config --exists "${1#*:}" 2>/dev/null ;;
    file:*) [ -e "${1#*:}" ] ;;
    package:*) dpkg-query -W -f '${db:Status-Status}' "${1#*:}" 2>/dev/null | grep -qx installed ;;
    esac
}

# need NEED...: installs the packages behind needs that are not met, when it may.
need() {
    missing=
    for entry in "$@"; do
        is_there "${entry%%=*}" || missing="$missing ${entry##*=}"
    done
    [ -n "$missing" ] || return 0
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        as_root='sudo -n'
        if ! sudo -n true 2>/dev/null; then
            say "these packages are missing:$missing"
            say "install them (Debian: sudo apt-get install$missing) and start again"
            exit 1
        fi
    fi
    if ! command -v apt-get >/dev/null 2>&1; then
        say "these packages (Debian's names) are missing:$missing"
        say "install what your system calls them and start again"
        exit 1
    fi
    say "installing$missing"
    install_packages() {
        # shellcheck disable=SC2086
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
            --no-install-recommends $missing >"$apt_log" 2>&1 </dev/null
    }
    apt_log=$(mktemp)
    # The package lists of a fresh machine are empty or old: fetch them only when needed.
    if ! install_packages; then
        $as_root apt-get update -q >>"$apt_log" 2>&1 </dev/null || true
        if ! install_packages; then
            tail -n 20 "$apt_log" >&2
            rm -f "$apt_log"
            say "these packages could not be installed:$missing"
            exit 1
        fi
    fi
    rm -f "$apt_log"
}

# configure [MESON OPTION...]: once; later calls find it done.
configure() {
    [ ! -e "$build/build.ninja" ] || return 0
    say "setting up $build (once)"
    log=$(mktemp)
    if ! meson setup --buildtype=release "$@" "$build" "$root" >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        exit 1
    fi
    rm -f "$log"
}
