"""What the thread shows: engine events as `Post` values. Pure: no network, no clock, no chance.

`posts.posts_for(recorded, view)` gives the posts of one event (`view` has taken that event already); before a post with
`pending_file` is sent, `await report.filled(post, session_id, events)` makes its files off the event loop.
"""
