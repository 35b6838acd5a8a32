#compdef melleafy-tui
# zsh completion of melleafy-tui; save it as _melleafy-tui in a folder of $fpath
_melleafy_tui() {
  local line
  local -a offered
  while IFS= read -r line; do
    case $line in
      *$'\tfiles') compset -P '--*='; _files ;;
      *$'\tfolders') compset -P '--*='; _files -/ ;;
      *) offered+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    esac
  done < <(_MELLEAFY_TUI_COMPLETE=1 melleafy-tui "${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( $#offered )) && _describe -t arguments argument offered
}
if [[ $funcstack[1] == _melleafy-tui ]]; then _melleafy_tui "$@"; else compdef _melleafy_tui melleafy-tui; fi
