# bash completion of melleafy-tui; put it where your bash-completion looks, or source it
_melleafy_tui() {
  local line current="${COMP_WORDS[COMP_CWORD]}"
  [[ "$current" == "=" ]] && current=""
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      *$'\tfiles') COMPREPLY+=($(compgen -f -- "$current")) ;;
      *$'\tfolders') COMPREPLY+=($(compgen -d -- "$current")) ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <(_MELLEAFY_TUI_COMPLETE=1 melleafy-tui "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o filenames -F _melleafy_tui melleafy-tui
