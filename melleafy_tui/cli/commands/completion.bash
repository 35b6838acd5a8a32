# bash completion of @PROGRAM@; put it where your bash-completion looks, or source it
_melleafy_tui() {
  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
  local word command=@CONVERT@ flags words paths
  if [[ "$current" == "=" ]]; then previous="${COMP_WORDS[COMP_CWORD-1]}"; current=""
  elif [[ "$previous" == "=" ]]; then previous="${COMP_WORDS[COMP_CWORD-2]}"; fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in @NAMES_OR@) command="$word"; break ;; esac
  done
  [[ "$word" == "$command" ]] || words="@NAMES@"
  case "$command" in
@COMMANDS@
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  case "$paths" in
    files) COMPREPLY+=($(compgen -f -- "$current")) ;;
    folders) COMPREPLY+=($(compgen -d -- "$current")) ;;
  esac
}
complete -o filenames -F _melleafy_tui @PROGRAM@
