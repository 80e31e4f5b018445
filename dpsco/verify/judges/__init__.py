"""Judges that find proof objects; they are not trusted."""
