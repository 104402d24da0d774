#!/bin/sh
# Stands in for sudo, for root: sudo [-u USER] COMMAND…
case $1 in
    -u) user=$2 && shift 2 && exec runuser -u "$user" -- "$@" ;;
    *) exec "$@" ;;
esac
