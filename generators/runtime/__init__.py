"""The modules that packages get as they are, each where a package needs it."""
