"""The Discord front end: commands and clicks come in, and each session is shown in threads.

`client` puts everything together. What people do stands in `debate`, `panel`, `people`, `scenes`, `detection` and the
modules named after a command; `session_manager` runs sessions and has them shown; `posting` brings posts into threads,
`rendering` makes them; every word is in `strings`.
"""
