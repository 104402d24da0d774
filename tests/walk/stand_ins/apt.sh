#!/bin/sh
# Stands in for apt, where there is no network: what it is to install has to be there already.
[ "$1" = install ] || { echo "apt here knows install alone, and not: $*" >&2; exit 1; }
shift
for package in "$@"; do
    case $package in
        -*) ;;
        *) dpkg -s "$package" >/dev/null 2>&1 || { echo "$package isn't installed on this computer" >&2; exit 1; } ;;
    esac
done
