#!/bin/sh
# Makes a minimal Debian 12 root file system in the directory $1 and writes it as a tar archive to $2.
# $3, when given, is the mirror to use instead of debootstrap's own default.
set -eu
root=$1
archive=$2
mirror=${3:-}

# shellcheck disable=SC2086 - an absent mirror must not become an empty argument
debootstrap --variant=minbase --include=ca-certificates bookworm "$root" $mirror

rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/* "$root"/var/log/*.log
: > "$root/etc/resolv.conf"
tar --numeric-owner --one-file-system --exclude=./dev --exclude=./proc --exclude=./sys -C "$root" -cf "$archive" .
