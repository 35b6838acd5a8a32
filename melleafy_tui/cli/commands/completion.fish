# fish completion of melleafy-tui; save it as ~/.config/fish/completions/melleafy-tui.fish
function _melleafy_tui
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in (env _MELLEAFY_TUI_COMPLETE=1 melleafy-tui $words[2..-1] "$current" 2>/dev/null)
    switch $line
      case '*'\t'files'
        __fish_complete_path "$current"
      case '*'\t'folders'
        __fish_complete_directories "$current" ''
      case '*'
        echo $line
    end
  end
end
complete -c melleafy-tui -f -a '(_melleafy_tui)'
