#!/bin/sh
# `sh scripts/run.sh <script> …`: makes the checkout ready with whatever Node the machine has, then becomes the script, run by
# the Node that mediagate runs on (docs/adr/0096). By exec, so that signals, exit code and terminal are the script's own.
cd "$(dirname "$0")/.." || exit
script=$1
shift
# Options are judged before anything is installed.
if [ $# -gt 0 ]; then
  node scripts/judge-options.mjs "$script" "$@"
  case $? in
    0) ;;
    2) exit 0 ;;
    *) exit 1 ;;
  esac
fi
if ! program=$(node scripts/bootstrap.mjs "$script"); then
  # The last line of `npm test` is its result, also when there was nothing to test.
  [ "$script" != test ] || echo '0 passed, 1 failed'
  exit 1
fi
# For programs that are started as `node`, where that would be another one.
if [ "$program" != node ]; then
  PATH=$(dirname "$program"):$PATH
  export PATH
fi
exec "$program" "scripts/$script.mjs" "$@"
