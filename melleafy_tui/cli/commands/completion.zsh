#compdef @PROGRAM@
# zsh completion of @PROGRAM@; save it as _@PROGRAM@ in a folder of $fpath
_melleafy_tui_first() {
  local -a commands
  commands=(
@LISTED@
  )
  _alternative 'commands:command:{_describe command commands}' 'files:workspace:_files'
}
_melleafy_tui() {
  local command=@CONVERT@ place
  for (( place = 2; place < CURRENT; place++ )); do
    case $words[place] in
      @NAMES_OR@)
        command=$words[place]
        words[place]=()
        (( CURRENT-- ))
        break ;;
    esac
  done
  case $command in
@COMMANDS@
  esac
}
if [[ $funcstack[1] == _@PROGRAM@ ]]; then _melleafy_tui "$@"; else compdef _melleafy_tui @PROGRAM@; fi
