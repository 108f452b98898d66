# Sourced by .ci/run. `make_bare_machine` makes a folder that stands for a machine on which nothing was installed but Node and
# npm: BARE_FOLDER, with a PATH of links and a HOME of its own. BARE_ENVIRONMENT is what `env -i` is to be given.

# On a Debian the essential packages and the package manager say which programs these are.
readonly ELSEWHERE=(
  sh bash env cat cp mv rm ln ls mkdir rmdir mktemp chmod chown touch readlink realpath basename dirname find xargs
  grep sed awk head tail sort uniq wc tr cut tee expr printf test true false date sleep kill id uname nice timeout tar gzip
  apk dnf yum brew sudo
)

make_bare_machine() {
  BARE_FOLDER=$(mktemp -d) || return 1
  # Whoever PostgreSQL runs as must pass.
  chmod 755 "$BARE_FOLDER"
  mkdir "$BARE_FOLDER/bin" "$BARE_FOLDER/home"
  local program
  for program in node npm npx sh; do link "$(command -v "$program")" || return 1; done
  while read -r program; do link "$program"; done < <(essential_programs)
  keep_npm_settings
  BARE_ENVIRONMENT=("PATH=$BARE_FOLDER/bin" "HOME=$BARE_FOLDER/home" "CI=true")
  local name
  while read -r name; do
    ! is_kept "$name" || BARE_ENVIRONMENT+=("$name=${!name}")
  done < <(compgen -e)
}

link() { [[ -x $1 && ! -d $1 ]] && ln -sf "$1" "$BARE_FOLDER/bin/"; }

essential_programs() {
  if command -v dpkg-query >/dev/null; then
    dpkg-query -W -f='${Essential} ${Package}\n' | sed -n 's/^yes //p' | cat - <(echo apt) |
      xargs dpkg-query -L | grep -E '^(/usr)?/s?bin/[^/]+$'
    return
  fi
  local name
  for name in "${ELSEWHERE[@]}"; do type -P "$name"; done
}

# How the registry is reached may stand in the user's npmrc; where packages are kept is not for a bare machine.
keep_npm_settings() {
  local settings
  settings=$(npm config get userconfig 2>/dev/null)
  [[ -f $settings ]] || return 0
  (umask 077 && grep -vE '^(cache|prefix|store-dir)[[:space:]]*=' "$settings" >"$BARE_FOLDER/home/.npmrc")
  return 0
}

# The terminal, the language, and how registries are reached.
is_kept() {
  case ${1,,} in
  npm_config_cache | npm_config_prefix | npm_config_userconfig) return 1 ;;
  term | lang | lc_all | *_proxy | npm_config_* | pip_*) return 0 ;;
  node_extra_ca_certs | ssl_cert_file | ssl_cert_dir | requests_ca_bundle) return 0 ;;
  esac
  return 1
}
